// ClockGraph: which clocks were seen, and what is known of how they relate.
//
//      phone BOOTTIME ----- phone REALTIME
//                                 :  (rendezvous: both follow wall-clock time)
//      host  BOOTTIME ----- host  REALTIME
//            |
//      host  gpu0 ticks
//
// A node is one clock of one machine, or private to one file or sequence. A
// snapshot is a set of clocks that were read at one moment; it relates each of them
// to each other. Nothing is converted while snapshots come in. Once all are in,
// solve() finds for each clock the best path to trace time and freezes the
// answer in a Placement.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "clock/clock_key.h"
#include "clock/placement.h"

namespace tracebraid {

struct ClockReading {
  ClockId clock;
  int64_t ticks = 0;
  int64_t tick_ns = 1;       // kAlreadyNs: `ticks` are ns, whatever the clock counts in
  bool incremental = false;  // the clock counts on from one event to the next
};

inline constexpr int64_t kAlreadyNs = 0;

// Where a snapshot was found, and how good it is.
struct SnapshotOrigin {
  EvidenceKind kind = EvidenceKind::Measured;
  int64_t uncertainty_ns = -1;  // -1: what is usual for the kind
  FileId file = {};
  uint64_t byte_offset = ~uint64_t{0};
  // Of a manifest's that states the slope as well: the snapshots of these clocks lie on
  // lines that hold between and beyond them.
  bool is_on_line = false;
  EvidenceSource source = EvidenceSource::Usual;
};

class ClockGraph {
 public:
  // A snapshot that was accepted. Its readings, in ns, are readings_of() it.
  struct Snapshot {
    uint32_t id;   // snapshot_id; refused ones take one as well
    uint32_t set;  // the clocks in it, in its own order
    size_t first;  // of the readings of all snapshots
    SnapshotOrigin origin;
  };

  // The same key gives the same id. `tick_ns` holds until a snapshot says
  // otherwise.
  ClockId add(const ClockKey& key, int64_t tick_ns = 1);
  std::optional<ClockId> find(const ClockKey& key) const;
  const ClockKey& key(ClockId clock) const { return nodes_[clock.row].key; }
  size_t size() const { return nodes_.size(); }
  int64_t tick_ns(ClockId clock) const { return nodes_[clock.row].tick_ns; }

  // From here on snapshots of this clock must count ns and must not go back.
  void set_trace_time(ClockId clock);
  ClockId trace_time() const { return trace_time_; }

  // All or nothing: a snapshot that breaks a rule of spec clocks 3.2 leaves only
  // its number behind. The Error has the text that the spec gives.
  Result<> add_snapshot(std::span<const ClockReading> readings, const SnapshotOrigin& origin);
  // Two clocks that show the same at all times.
  Result<> tie(ClockId a, ClockId b, EvidenceKind kind);

  // Some snapshot that was accepted has the clock.
  bool was_read(ClockId clock) const { return nodes_[clock.row].readings > 0; }
  // A chain of snapshots leads from one to the other.
  bool are_connected(ClockId a, ClockId b) const { return root(a.row) == root(b.row); }

  // The same number for clocks that are connected, until the next snapshot.
  uint32_t component(ClockId clock) const { return root(clock.row); }

  // The best path for each clock is the one with the fewest guesses, then
  // meetings by wall clock, then statements of a manifest, then the least
  // uncertainty, then the fewest hops, then the clocks that come first. A clock that no
  // path joins to trace time has no place.
  Placement solve(ClockModel model) const;
  // The same, to another clock than trace time.
  Placement solve_for(ClockId target, ClockModel model) const;

  // All moments at which two clocks are known by one kind of evidence, as the solver uses them:
  // for relayed ones without what better rounds make worthless. And the model by which the clocks
  // run between them: the one asked for, unless all were stated to lie on lines.
  struct Hop {
    std::vector<Observation> observations;
    ClockModel model;
  };
  Hop hop(ClockId from, ClockId to, EvidenceKind kind, ClockModel model) const;

  std::span<const Snapshot> snapshots() const { return snapshots_; }
  std::span<const ClockId> clocks_of(const Snapshot& s) const { return sets_[s.set].clocks; }
  std::span<const int64_t> readings_of(const Snapshot& s) const {
    return {readings_.data() + s.first, sets_[s.set].clocks.size()};
  }

  // What is known of a pair of clocks, for the report. Each pair that some
  // snapshot joins and one kind of evidence, once; snapshots of more than
  // kReportedClocks clocks give only the pairs with their first clock.
  struct Edge {
    ClockId from, to;
    EvidenceKind kind;
    int64_t observations = 0;
    int64_t uncertainty_ns = kUnbounded;            // of the best one
    FileId file;                                    // of the first
    uint64_t byte_offset = 0;                       // likewise
    EvidenceSource source = EvidenceSource::Usual;  // likewise
  };
  static constexpr size_t kReportedClocks = 64;
  std::vector<Edge> edges() const;
  int64_t readings(ClockId clock) const { return nodes_[clock.row].readings; }
  // Whether its ticks are differences to the event before: a way to write another clock of the
  // same sequence, not a clock that runs by itself.
  bool is_incremental(ClockId clock) const { return nodes_[clock.row].incremental; }
  // How far a reading of this kind of evidence may lie behind the true one because the clock moves
  // in steps: by the ticks it counts in, and for coarse clocks by the kernel's tick.
  int64_t grain_ns(ClockId clock, EvidenceKind kind) const;

 private:
  friend class Solver;
  struct Node {
    ClockKey key;
    int64_t tick_ns = 1;
    bool incremental = false;
    bool has_unit = false;  // some snapshot said what it counts in
    int64_t readings = 0;
    std::vector<uint32_t> sets;  // that have the clock
  };
  // Snapshots of the same clocks in the same order, of one kind.
  struct Set {
    std::vector<ClockId> clocks;
    EvidenceKind kind;
    std::vector<uint32_t> by_clock;  // positions, by rising clock
    std::vector<uint32_t> snapshots;
    int64_t uncertainty_ns = kUnbounded;  // of the best snapshot
    // Position of clock, which must be in the set.
    size_t position(ClockId clock) const;
    bool has(ClockId clock) const;
  };
  using SetKey = std::pair<EvidenceKind, std::vector<ClockId>>;

  Result<> check(std::span<const ClockReading> readings, const Set* set, uint32_t id,
                 std::vector<int64_t>& ns) const;
  Result<> check_properties(const ClockReading& reading) const;
  // The set of these clocks, if there is one.
  const Set* find_set(std::span<const ClockReading> readings, EvidenceKind kind);
  uint32_t add_set(std::span<const ClockReading> readings, EvidenceKind kind);
  void join(uint32_t a, uint32_t b);
  uint32_t root(uint32_t node) const;

  std::vector<Node> nodes_;
  absl::flat_hash_map<ClockKey, ClockId> ids_;
  std::vector<Set> sets_;
  absl::flat_hash_map<SetKey, uint32_t> set_ids_;
  SetKey wanted_;          // scratch of find_set()
  uint32_t last_set_ = 0;  // what it found: snapshots of the same clocks follow one another
  std::vector<Snapshot> snapshots_;
  std::vector<int64_t> readings_;  // ns, of all snapshots
  std::vector<uint32_t> parents_;  // disjoint sets of connected clocks
  std::vector<uint32_t> sizes_;    // of those, at their roots
  ClockId trace_time_;
  uint32_t next_snapshot_ = 0;
};

// 6, or 64(seq=5,tf=2,m=0): as error texts name a clock.
std::string printable(const ClockKey& key);

}  // namespace tracebraid
