// Clocks by the rules of the reference alone (spec clocks 2 to 6 and 8): one step for each snapshot,
// at most 4 hops, no source clock whose readings went back, and a place that is decided when a
// machine converts its first time.
//
// Input: snapshots and times in file order. Output: trace times, or the stat of each failure.
// Called by reference/reader.cc. merge/ places clocks by better rules (docs/clock-model.md).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracebraid::reference {

// A clock: of a machine, or of a file or sequence.
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
  int64_t ticks = 0, unit = 1;
  bool is_incremental = false;
};

// A snapshot that readers refuse, or a clock that they refuse from a snapshot on.
struct Refusal {
  Node node;
  std::string why;
};

class Graph {
 public:
  // Adds a snapshot (spec clocks 3.2). Returns false if readers refuse it.
  bool add(const std::vector<NodeReading>& readings);
  // Returns nothing if there is no path.
  std::optional<int64_t> convert(const Node& from, int64_t ticks, const Node& to);
  // Returns the stat of a failed conversion.
  std::string_view failure(const Node& from, const Node& to) const;

  Node trace_time{.clock = 11};
  std::map<std::string, int64_t, std::less<>> stats;
  std::vector<Refusal> refusals;  // one per clock that goes back, and one per void snapshot

 private:
  struct Series {
    std::vector<uint32_t> snapshots;
    std::vector<int64_t> times;
  };
  struct Domain {
    int64_t unit = 1, last = 0;
    bool is_incremental = false;
    std::map<uint32_t, Series> classes;
  };
  struct Hop {
    Node from, to;
    uint32_t kind;  // class
  };
  using Path = std::vector<Hop>;

  std::optional<std::string> store(const std::vector<NodeReading>& readings, uint32_t kind,
                                   uint32_t id);
  const std::optional<Path>& path(const Node& from, const Node& to);
  std::optional<Path> search(const Node& from, const Node& to) const;

  std::map<Node, Domain> domains_;
  std::map<Node, std::set<std::pair<Node, uint32_t>>> edges_;
  std::set<Node> refused_;
  absl::flat_hash_map<std::pair<Node, Node>, std::optional<Path>> paths_;
  uint32_t next_snapshot_ = 0;
};

// Trace time and its owner, of all files.
struct Shared {
  Graph graph;
  std::optional<uint32_t> owner;  // file
  std::map<uint32_t, uint32_t> primaries;  // first file of each machine
};

// A clock as a file names it.
struct FileClock {
  uint32_t clock = 0, sequence = 0;
};
struct FileReading {
  FileClock clock;
  int64_t ticks = 0, unit = 1;
  bool is_incremental = false;
};

// The clocks of one machine in one file.
class Tracker {
 public:
  // `format_clock` relates the machine to trace time at the first conversion; 0: none.
  Tracker(Shared& shared, uint32_t file, uint32_t machine, uint32_t format_clock);

  void claim(const FileClock& clock);
  void snapshot(const std::vector<FileReading>& readings);
  // The elements of a RemoteClockSync: readings by clock of client and host.
  using Element = std::pair<std::vector<FileReading>, std::vector<FileReading>>;
  void remote_sync(const std::vector<Element>& elements);

  struct Outcome {
    std::optional<int64_t> ns;
    std::string_view stat;  // of a failure
  };
  Outcome to_trace_time(const FileClock& clock, int64_t ticks);

  std::optional<FileClock> default_clock;

 private:
  Node qualify(const FileClock& clock) const;
  void tie(const Node& a, const Node& b);
  void place();

  Shared& shared_;
  uint32_t file_, machine_, format_clock_, tag_ = 0;
  bool is_primary_, has_snapshot_ = false, is_placed_;
  uint64_t conversions_ = 0;
};

}  // namespace tracebraid::reference
