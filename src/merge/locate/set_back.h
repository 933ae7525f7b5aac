// Margins of clocks that were set back: how long such a clock may have run before its first and
// after its last snapshot, from the events and snapshots of the files that use it (spec alignment
// 10).
//
// Input: files, and a placement with the usual margins. Output: margins in the graph. Called by
// locate().
#pragma once

#include <span>
#include <vector>

#include "clock/clock_graph.h"
#include "merge/locate/clocks.h"

namespace tracebraid {

// Returns whether a margin was set, so that the graph must be solved again. `nodes` are those of
// the clocks of each batch.
bool set_margins(std::span<const FileToLocate> files, const Trackers& trackers,
                 std::span<const std::vector<ClockId>> nodes, const Placement& placement,
                 ClockGraph& graph);

}  // namespace tracebraid
