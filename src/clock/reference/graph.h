// The graph of clocks by the rules of the reference alone (spec clocks 2 and 3): one step for each
// snapshot, at most 4 hops, and no source clock whose readings went back.
//
// Input: snapshots in file order. Output: readings of other clocks, or the stat of a failure.
// Called by Tracker. merge/ places clocks by better rules (docs/clock-model.md).
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock_domain.h"

namespace tracebraid::reference {

// A clock of a machine, of a file or of a sequence.
struct Node {
  uint32_t clock = 0, sequence = 0, file = 0, machine = 0;
  friend auto operator<=>(const Node&, const Node&) = default;
  template <class H>
  friend H AbslHashValue(H h, const Node& n) {
    return H::combine(std::move(h), n.clock, n.sequence, n.file, n.machine);
  }
};

struct NodeReading {
  Node node;
  int64_t ticks = 0, unit = 1;  // ns per tick
  bool is_incremental = false;
};

// A packet: the row of trace_file and the offset in the uncompressed file.
struct Place {
  uint32_t file = 0;
  uint64_t at = 0;
};

// A snapshot that readers ignore, or a clock that they refuse as a source from a snapshot on.
struct Refusal {
  Node node;
  Place place;
  bool is_void = false;  // the whole snapshot is ignored
  std::string why;       // "goes back from 5 to 3"
};

enum class Failure : uint8_t { UnknownSource, UnknownTarget, NoPath };

// Why a conversion fails.
enum class Reason : uint8_t { NotInSnapshots, Unrelated, TooFar, Refused, TooComplex };
struct Explanation {
  Reason reason = Reason::Unrelated;
  Node refused;  // of Reason::Refused: a clock on the path
};

class Graph {
 public:
  // Adds a snapshot (spec clocks 3.2). Returns false if readers ignore it.
  bool add(const std::vector<NodeReading>& readings, Place place);
  // Returns nothing if there is no path. Advances `from` if it is incremental.
  std::optional<int64_t> convert(const Node& from, int64_t ticks, const Node& to);
  Failure failure(const Node& from, const Node& to) const;
  Explanation explain(const Node& from, const Node& to);

  // Returns whether paths take more work than any recording causes. Then convert() finds none.
  bool is_too_complex() const { return steps_ > kMostSteps; }

  Node trace_time{.clock = domain::kPrivate};
  uint64_t void_snapshots = 0, clocks_that_go_back = 0;
  std::vector<Refusal> refusals;  // at most kMostRefusals

  static constexpr size_t kMostRefusals = 1000;

 private:
  // Readings of one clock in the snapshots of one class, in order.
  struct Series {
    std::vector<uint32_t> snapshots;
    std::vector<int64_t> times;  // ns
  };
  struct Domain {
    int64_t unit = 1, last = 0;
    bool is_incremental = false;
    std::map<uint32_t, Series> classes;
  };
  // The snapshots with the same clocks in the same order (spec clocks 3.1).
  struct Class {
    std::vector<Node> nodes;
    bool has_edges = false;  // relates all its clocks
  };
  struct Hop {
    Node from, to;
    uint32_t kind;  // class
  };
  using Path = std::vector<Hop>;
  struct Rules {
    size_t most_hops = 4;
    bool heeds_refusals = true;
  };

  static constexpr uint64_t kMostSteps = 100'000'000;

  uint32_t class_of(const std::vector<NodeReading>& readings);
  std::optional<Refusal> store(const std::vector<NodeReading>& readings, uint32_t kind, uint32_t id,
                               Place place);
  void refuse(Refusal refusal);
  void forget_paths(const Class& changed);
  const std::optional<Path>& path(const Node& from, const Node& to);
  std::optional<Path> search(const Node& from, const Node& to, const Rules& rules);

  absl::flat_hash_map<Node, Domain> domains_;
  absl::flat_hash_map<uint32_t, Class> classes_;
  absl::flat_hash_set<Node> refused_;
  absl::flat_hash_map<std::pair<Node, Node>, std::optional<Path>> paths_;
  uint32_t next_snapshot_ = 0;
  uint64_t steps_ = 0;  // nodes that searches visited
};

}  // namespace tracebraid::reference
