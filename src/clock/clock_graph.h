// ClockGraph: the clocks of all files and the evidence that relates them. merge/locate adds clocks
// and snapshots; solve() returns the Placement.
//
//      phone BOOTTIME ----- phone REALTIME
//                                 :  (rendezvous: both follow wall-clock time)
//      host  BOOTTIME ----- host  REALTIME
//            |
//      host  gpu0 ticks
//
// A node is a clock of a machine, or private to a file or sequence. A snapshot is a set of readings
// taken at one moment; it relates each of its clocks to each other. No reading is converted while
// snapshots are added. solve() then finds the best path from each clock to trace time.
//
// Input: clocks and snapshots of all files and the manifest. Output: a Placement, and the edges for
// the report. Called by merge/locate; readers name clocks by ClockKey.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "clock/clock_key.h"
#include "clock/placement.h"

namespace tracebraid {

struct ClockReading {
  ClockId clock;
  int64_t ticks = 0;
  int64_t tick_ns =
      1;  // unit of `ticks`; kAlreadyNs: `ticks` are ns, whatever the unit of the clock
  bool incremental = false;  // timestamps of the clock are differences to the one before
};

inline constexpr int64_t kAlreadyNs = 0;

// The source and the quality of a snapshot.
struct SnapshotOrigin {
  EvidenceKind kind = EvidenceKind::Measured;
  int64_t uncertainty_ns = -1;  // -1: the default of the kind
  FileId file = {};
  uint64_t byte_offset = ~uint64_t{0};
  // The manifest states the drift, too: the lines through these snapshots hold between and beyond
  // them.
  bool is_on_line = false;
  EvidenceSource source = EvidenceSource::Usual;
};

// The evidence of one kind between two clocks.
struct ClockPair {
  ClockKey a, b;
  EvidenceKind kind = EvidenceKind::Measured;
};

class ClockGraph {
 public:
  // An accepted snapshot; readings_of() returns its readings in ns.
  struct Snapshot {
    uint32_t id;   // snapshot_id; refused snapshots use up an id, too
    uint32_t set;  // index of its set of clocks, in the order of the snapshot
    size_t first;  // index of its first reading in the readings of all snapshots
    SnapshotOrigin origin;
  };

  // Returns the id of the clock and adds it if it is new. `tick_ns` applies until a snapshot gives
  // another unit.
  ClockId add(const ClockKey& key, int64_t tick_ns = 1);
  std::optional<ClockId> find(const ClockKey& key) const;
  const ClockKey& key(ClockId clock) const { return nodes_[clock.row].key; }
  size_t size() const { return nodes_.size(); }
  int64_t tick_ns(ClockId clock) const { return nodes_[clock.row].tick_ns; }

  // Makes this clock trace time. Its later snapshots must be in ns and must not go back.
  void set_trace_time(ClockId clock);
  ClockId trace_time() const { return trace_time_; }

  // Adds all readings or none: a snapshot that breaks a rule of spec clocks 3.2 only uses up an id.
  // The Error has the text of the specification.
  Result<> add_snapshot(std::span<const ClockReading> readings, const SnapshotOrigin& origin);
  // Adds evidence that two clocks are always equal.
  Result<> tie(ClockId a, ClockId b, EvidenceKind kind);

  // Ignores the evidence of one kind between two clocks: it connects them neither in a path nor in
  // are_connected(), and is no edge. Requires: no snapshot was added.
  void exclude(const ClockPair& pair);
  bool is_excluded(ClockId a, ClockId b, EvidenceKind kind) const {
    return !excluded_.empty() && excluded_.contains(ordered(key(a), key(b), kind));
  }

  // States how long a clock that was set back may have run before its first and after its last
  // snapshot.
  void set_margin(ClockId clock, const Margin& margin) { nodes_[clock.row].margin = margin; }

  // Whether an accepted snapshot contains the clock.
  bool was_read(ClockId clock) const { return nodes_[clock.row].readings > 0; }
  // Whether a chain of snapshots links the two clocks.
  bool are_connected(ClockId a, ClockId b) const { return root(a.row) == root(b.row); }

  // Returns a number that is equal for connected clocks; valid until the next snapshot.
  uint32_t component(ClockId clock) const { return root(clock.row); }

  // Finds the best path from each clock to trace time: the fewest guesses, then the fewest
  // rendezvous, then the fewest manifest statements, then the smallest bound, then the fewest hops,
  // then the clocks that come first. A clock without a path has no place.
  Placement solve(ClockModel model) const;
  // Finds paths to `target` instead of trace time.
  Placement solve_for(ClockId target, ClockModel model) const;

  // All observations of two clocks by one kind of evidence, as the solver uses them (relayed ones
  // without outliers), the model between them (`model`, unless all observations lie on stated
  // lines), and the margin of `from`.
  struct Hop {
    std::vector<Observation> observations;
    ClockModel model;
    Margin margin = {};
  };
  Hop hop(ClockId from, ClockId to, EvidenceKind kind, ClockModel model) const;

  std::span<const Snapshot> snapshots() const { return snapshots_; }
  std::span<const ClockId> clocks_of(const Snapshot& s) const { return sets_[s.set].clocks; }
  std::span<const int64_t> readings_of(const Snapshot& s) const {
    return {readings_.data() + s.first, sets_[s.set].clocks.size()};
  }

  // The evidence between a pair of clocks, for the report: one edge per pair and kind. Snapshots of
  // more than kReportedClocks clocks give only the pairs with their first clock.
  struct Edge {
    ClockId from, to;
    EvidenceKind kind;
    int64_t observations = 0;
    int64_t uncertainty_ns = kUnbounded;            // of the best observation
    FileId file;                                    // of the first observation
    uint64_t byte_offset = 0;                       // of the first observation
    EvidenceSource source = EvidenceSource::Usual;  // of the first observation
  };
  static constexpr size_t kReportedClocks = 64;
  std::vector<Edge> edges() const;
  int64_t readings(ClockId clock) const { return nodes_[clock.row].readings; }
  // Whether ticks are differences to the event before. Such a clock is an encoding of another clock
  // of its sequence, and does not drift by itself.
  bool is_incremental(ClockId clock) const { return nodes_[clock.row].incremental; }
  // Returns how far a reading may lie behind the true one because the clock advances in steps, ns:
  // its unit, or the kernel's tick for coarse clocks.
  int64_t grain_ns(ClockId clock, EvidenceKind kind) const;

 private:
  friend class Solver;
  struct Node {
    ClockKey key;
    int64_t tick_ns = 1;
    bool incremental = false;
    bool has_unit = false;  // a snapshot gave its unit
    int64_t readings = 0;
    Margin margin = {};
    std::vector<uint32_t> sets;  // indexes of the sets that contain the clock
  };
  // Snapshots of one kind with the same clocks in the same order.
  struct Set {
    std::vector<ClockId> clocks;
    EvidenceKind kind;
    std::vector<uint32_t> by_clock;  // positions, sorted by clock
    std::vector<uint32_t> snapshots;
    int64_t uncertainty_ns = kUnbounded;  // of the best snapshot
    bool has_excluded = false;            // whether two of its clocks are an excluded pair
    // Returns the position of `clock`. Requires: has(clock).
    size_t position(ClockId clock) const;
    bool has(ClockId clock) const;
  };
  using SetKey = std::pair<EvidenceKind, std::vector<ClockId>>;
  using OrderedPair = std::tuple<ClockKey, ClockKey, EvidenceKind>;

  static OrderedPair ordered(const ClockKey& a, const ClockKey& b, EvidenceKind kind) {
    return a < b ? OrderedPair{a, b, kind} : OrderedPair{b, a, kind};
  }

  Result<> check(std::span<const ClockReading> readings, const Set* set, uint32_t id,
                 std::vector<int64_t>& ns) const;
  Result<> check_properties(const ClockReading& reading) const;
  // Returns the set of these clocks, or null.
  const Set* find_set(std::span<const ClockReading> readings, EvidenceKind kind);
  uint32_t add_set(std::span<const ClockReading> readings, EvidenceKind kind);
  void join(uint32_t a, uint32_t b);
  // Joins the clocks of a set with an excluded pair.
  void join_others(const Set& set);
  uint32_t root(uint32_t node) const;

  std::vector<Node> nodes_;
  absl::flat_hash_map<ClockKey, ClockId> ids_;
  std::vector<Set> sets_;
  absl::flat_hash_map<SetKey, uint32_t> set_ids_;
  SetKey wanted_;          // scratch of find_set()
  uint32_t last_set_ = 0;  // its last result: consecutive snapshots mostly have the same clocks
  std::vector<Snapshot> snapshots_;
  std::vector<int64_t> readings_;  // ns, of all snapshots
  std::vector<uint32_t> parents_;  // disjoint sets of connected clocks
  std::vector<uint32_t> sizes_;    // of the disjoint sets, at their roots
  absl::flat_hash_set<OrderedPair> excluded_;
  ClockId trace_time_;
  uint32_t next_snapshot_ = 0;
};

// Returns the name of a clock in error texts: 6, or 64(seq=5,tf=2,m=0).
std::string printable(const ClockKey& key);

}  // namespace tracebraid
