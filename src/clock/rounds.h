// Rounds: observations that are worth differently much, because messages took
// differently long.
#pragma once

#include <span>
#include <vector>

#include "clock/clock_map.h"

namespace tracebraid {

// Without those that a near one makes worthless: it is less than half as far off, even if the
// clocks drifted apart since.
std::vector<Observation> without_outliers(std::span<const Observation> observations);

// Observations on straight lines, each the best for a run of rounds, weighted by how far off each
// may be, and within what every round allows. Rounds that are too few to fit are kept as they
// are. In the order of time.
std::vector<Observation> fit_rounds(std::span<const Observation> observations);

}  // namespace tracebraid
