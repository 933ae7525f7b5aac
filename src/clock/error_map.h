// ErrorMap: the bound of a ClockMap as a function of the reading.
//
// At an observation the bound is that of the observation. Between two observations it also covers
// the change of the offset that the neighbouring observations do not explain. Beyond the first and
// the last it grows at a rate derived from the observations. A reading of a clock that was set back
// has the bound of its segment. ErrorBounds sums it over the hops of a path.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "clock/clock_map.h"

namespace tracebraid {

struct ErrorMap {
  struct Piece {
    int64_t begin;              // first reading of the piece; it ends where the next begins
    int64_t anchor;             // reading from which the error grows in both directions
    int64_t base_ns;            // error at `anchor`
    int64_t rate_ppb = 0;       // growth, ns per s
    bool is_ambiguous = false;  // readings without a place
  };
  std::vector<Piece> pieces;  // rising; the first begins at ClockMap::kFirst

  // Returns the bound in ns; kUnbounded without pieces and for an ambiguous reading.
  int64_t at(int64_t reading) const;
  // Returns the largest bound of the readings in [first, last], ns. Ambiguous readings count only
  // at both ends.
  int64_t worst(int64_t first, int64_t last) const;
};

// The assumed drift of two clocks with one observation.
inline constexpr int64_t kUsualDriftPpb = 50'000;

struct PairNature {
  // The assumed drift where observations do not give one.
  int64_t unknown_ppb = kUsualDriftPpb;
  // Whether the first clock can be set back.
  bool can_be_set = false;
};

// Returns the bounds of the map that map_of() builds from the same observations.
ErrorMap error_map_of(std::span<const Observation> observations, ClockModel model,
                      const PairNature& nature, const Margin& margin = {});

// Returns the bounds of each segment by itself, for all readings. Requires: the observations are in
// order of time.
std::vector<ErrorMap> error_maps_of(std::span<const Observation> observations,
                                    std::span<const Segment> segments, ClockModel model,
                                    const PairNature& nature);

}  // namespace tracebraid
