// Finds how far two recordings of the same events lie apart, if the symbols of the events repeat:
// the distance at which most events have a partner (spec alignment 4.4). Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "merge/align/verdict.h"

namespace tracebraid::align {

// An event. The symbol is equal in all recordings.
struct SymbolTime {
  uint64_t symbol = 0;
  int64_t at = 0;  // reading, ns
};

struct LagPairs {
  Reason reason = Reason::None;                      // why there are no pairs
  std::vector<std::pair<uint32_t, uint32_t>> pairs;  // indexes of a and b, sorted by both
  // Distance of the places that fit nearly as well, ns, and their number.
  std::optional<int64_t> alias_period_ns;
  int64_t alias_count = 0;
};

// Pairs the events of both recordings at the one distance that explains 70 % of what both saw, and
// twice as many events as any other distance. Refuses (Reason): TooFew if no distance explains
// enough of any part; Aliased if other distances explain half as many; Rate if the distance changes
// by more than 200 ppm. Requires: events are sorted by reading.
LagPairs pair_by_lag(std::span<const SymbolTime> a, std::span<const SymbolTime> b);

}  // namespace tracebraid::align
