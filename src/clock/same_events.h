// Two recordings of the same events: which readings of their clocks belong together, found
// from nothing but the order in which things happened.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "clock/clock_map.h"

namespace tracebraid {

// Something that happened: a number that says what, alike in both recordings.
struct Sighting {
  uint64_t what;
  int64_t reading;
};

struct SameEvents {
  // Points on the line from one clock to the other, `from` rising; their uncertainty holds
  // for all events between them.
  std::vector<Observation> points;
  size_t matched = 0;  // events that both saw
};

// What happened more than once in a recording says nothing. Nothing is returned unless at least
// kFewestMatches things remain, nearly all of them in the same order in both, and a line through
// their readings has no residuals larger than kLargestResidualNs. The clocks may run at any rate.
std::optional<SameEvents> match_events(std::vector<Sighting> a, std::vector<Sighting> b);

inline constexpr size_t kFewestMatches = 100;
inline constexpr int64_t kLargestResidualNs = 200'000;

}  // namespace tracebraid
