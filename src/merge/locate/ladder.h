// The ladder: evidence of last resort for clocks that no file relates to the
// timeline (spec clocks 6.3, 6.4). Each rung looks at all evidence of the ones
// before, so the order of files does not matter.
#pragma once

#include <span>
#include <vector>

#include "clock/clock_graph.h"
#include "merge/locate/clocks.h"
#include "merge/locate/located.h"
#include "merge/locate/machines.h"

namespace tracebraid {

// Where no relation says otherwise, a file's own node of a clock is the same as its
// machine's.
void tie_isolated_clocks(ClockGraph& graph);

// Machines meet on wall-clock time.
void meet_on_wall_clock(std::span<const FileToLocate> files, const Roster& roster,
                        const Trackers& trackers, ClockGraph& graph);

// A clock of a file's own that nothing relates is taken for the usual clock of its format;
// that of an embedded file, for the clock of the file around it.
void tie_own_clocks(std::span<const FileToLocate> files, const Roster& roster,
                    const Trackers& trackers, ClockGraph& graph);

// What is still without a relation is taken to be zero apart from the timeline, if
// the clock of the file's format is private or of the timeline's domain. Returns
// the rest.
std::vector<Unrelatable> guess_the_rest(std::span<const FileToLocate> files, const Roster& roster,
                                        const Trackers& trackers, ClockGraph& graph);

}  // namespace tracebraid
