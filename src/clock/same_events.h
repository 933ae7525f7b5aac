// match_events(): relates the clocks of two recordings of the same events by the order of the
// events alone. Called by merge/locate/switches.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "clock/clock_map.h"

namespace tracebraid {

// One event: an identifier that is equal in both recordings, and a reading.
struct Sighting {
  uint64_t what;
  int64_t reading;
};

struct SameEvents {
  // Points of the line from one clock to the other, sorted by `from`; their bounds hold for all
  // events between them.
  std::vector<Observation> points;
  size_t matched = 0;  // events in both recordings
};

// Ignores identifiers that occur more than once in a recording. Returns nothing unless at least
// kFewestMatches events remain, nearly all are in the same order in both recordings, and no
// residual of a line through their readings exceeds kLargestResidualNs. The clocks may run at any
// rate.
std::optional<SameEvents> match_events(std::vector<Sighting> a, std::vector<Sighting> b);

inline constexpr size_t kFewestMatches = 100;
inline constexpr int64_t kLargestResidualNs = 200'000;

}  // namespace tracebraid
