// ErrorBounds: the bounds of the times that a Placement gives. Used by the report, clock_error()
// and find_contradictions().
#pragma once

#include <absl/container/flat_hash_map.h>

#include <memory>

#include "clock/clock_graph.h"
#include "clock/error_map.h"

namespace tracebraid {

// Returns the assumed drift of two clocks where observations do not give one.
int64_t unknown_drift_ppb(const ClockGraph& graph, ClockId a, ClockId b, EvidenceKind kind);

// Returns what error_map_of() needs to know of two clocks.
PairNature pair_nature(const ClockGraph& graph, ClockId a, ClockId b, EvidenceKind kind);

// Computes the error map of a hop on first use and caches it. Both arguments must outlive it. Not
// for concurrent use.
class ErrorBounds {
 public:
  ErrorBounds(const ClockGraph& graph, const Placement& placement)
      : graph_(graph), placement_(placement) {}

  // Returns the bound of a reading in ns, the sum over the hops of the path; kUnbounded for a clock
  // without a place, and if a hop is a guess.
  int64_t at(ClockId clock, int64_t reading) { return worst(clock, reading, reading); }
  // Returns the largest bound of the readings in [first, last].
  int64_t worst(ClockId clock, int64_t first, int64_t last);

 private:
  struct Hop {
    ClockMap map;
    ErrorMap error;
  };
  const Hop& hop(ClockId clock);

  const ClockGraph& graph_;
  const Placement& placement_;
  absl::flat_hash_map<ClockId, std::unique_ptr<const Hop>> hops_;
};

}  // namespace tracebraid
