// Fallbacks: evidence for clocks that no file relates to the timeline (spec clocks 6.3, 6.4). Each
// step uses all evidence of the steps before, so the order of files does not matter.
#pragma once

#include <span>
#include <vector>

#include "clock/clock_graph.h"
#include "merge/locate/clocks.h"
#include "merge/locate/located.h"
#include "merge/locate/machines.h"
#include "merge/locate/wall_clocks.h"

namespace tracebraid {

// Ties a node of a file to the node of its machine where no relation exists between them.
void tie_isolated_clocks(ClockGraph& graph);

// Adds rendezvous: machines meet on wall-clock time, as well as the recordings say that they can.
void meet_on_wall_clock(std::span<const FileToLocate> files, const MachineRegistry& registry,
                        const Trackers& trackers, const WallClockErrors& errors, ClockGraph& graph);

// Ties an unrelated clock of a file to the usual clock of its format, and that of an embedded file
// to the clock of the file around it.
void tie_own_clocks(std::span<const FileToLocate> files, const MachineRegistry& registry,
                    const Trackers& trackers, ClockGraph& graph);

// Adds guesses: relates a remaining clock to the timeline with offset 0, if the clock of the format
// of its file is private or has the domain of the timeline. Returns the others.
std::vector<Unrelatable> guess_the_rest(std::span<const FileToLocate> files,
                                        const MachineRegistry& registry, const Trackers& trackers,
                                        ClockGraph& graph);

}  // namespace tracebraid
