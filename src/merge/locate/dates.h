// Dates: when a recording was made, as far as its file tells to the second. The last evidence
// before guessing: it is used where nothing else relates two clocks, so it contradicts nothing.
#pragma once

#include <span>
#include <vector>

#include "clock/clock_graph.h"
#include "merge/locate/clocks.h"
#include "merge/locate/located.h"

namespace tracebraid {

// A date was noted at some time during the recording or within 2 s of it; so it may be off by as
// long as the recording lasts and 2 s. Where that allows a file to count from the same moment as
// the timeline, and its times are so large that this is hardly chance, it does.
void place_by_dates(std::span<const FileToLocate> files, const Roster& roster,
                    const Trackers& trackers, std::span<const std::vector<ClockId>> nodes,
                    ClockModel model, ClockGraph& graph);

}  // namespace tracebraid
