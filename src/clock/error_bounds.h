// ErrorBounds: how far off the time may be at which a Placement puts a reading.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <memory>

#include "clock/clock_graph.h"
#include "clock/error_map.h"

namespace tracebraid {

// At which rate two clocks may drift apart, as far as no observations say more.
int64_t unknown_drift_ppb(const ClockGraph& graph, ClockId a, ClockId b, EvidenceKind kind);

// Looks at a hop of a path when it is first asked for, and remembers it. Both
// arguments must outlive it.
class ErrorBounds {
 public:
  ErrorBounds(const ClockGraph& graph, const Placement& placement)
      : graph_(graph), placement_(placement) {}

  // Of a reading in ns, the sum over the hops of the path. kUnbounded without a place, and when
  // a hop is a guess.
  int64_t at(ClockId clock, int64_t reading) { return worst(clock, reading, reading); }
  // The largest of all readings in [first, last].
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
