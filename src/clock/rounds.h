// Rounds: filters and fits observations of message rounds, whose bounds depend on how long the
// messages took. Called by ClockGraph::hop() for relayed evidence.
#pragma once

#include <span>
#include <vector>

#include "clock/clock_map.h"

namespace tracebraid {

// Returns the observations without outliers: those with more than twice the bound of an observation
// near in time, drift included.
std::vector<Observation> without_outliers(std::span<const Observation> observations);

// Replaces runs of rounds by observations on straight lines: weighted least squares, within the
// bounds of every round. Keeps rounds that are too few for a fit unchanged. Returns observations in
// order of time.
std::vector<Observation> fit_rounds(std::span<const Observation> observations);

}  // namespace tracebraid
