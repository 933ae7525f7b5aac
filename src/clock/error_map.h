// ErrorMap: how far off a ClockMap may be, as a function of the reading.
//
// At an observation the map is off by what the observation is off. Between two of them, the
// worst is what the offset changes by more than its neighbourhood explains; beyond the first and
// the last, two clocks drift apart at a rate that the observations suggest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "clock/clock_map.h"

namespace tracebraid {

struct ErrorMap {
  struct Piece {
    int64_t begin;         // first reading of the piece; it ends where the next begins
    int64_t anchor;        // reading from which on the error grows, in both directions
    int64_t base_ns;       // error there
    int64_t rate_ppb = 0;  // growth, ns per s
  };
  std::vector<Piece> pieces;  // rising; the first begins at ClockMap::kFirst

  // kUnbounded at most, which it is without any piece.
  int64_t at(int64_t reading) const;
  // The largest in [first, last].
  int64_t worst(int64_t first, int64_t last) const;
};

// Two clocks of which nothing is known but one moment drift apart by at most this.
inline constexpr int64_t kUsualDriftPpb = 50'000;

struct PairNature {
  // At which the clocks may drift apart as far as no observations say more.
  int64_t unknown_ppb = kUsualDriftPpb;
  // Somebody may set the first clock back.
  bool can_be_set = false;
};

// For the map that map_of() makes of the same observations.
ErrorMap error_map_of(std::span<const Observation> observations, ClockModel model,
                      const PairNature& nature);

}  // namespace tracebraid
