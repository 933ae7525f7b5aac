// What the manifest states of how clocks relate, as edges of the clock graph.
#pragma once

#include <span>

#include "clock/clock_graph.h"
#include "merge/locate/clocks.h"
#include "merge/locate/located.h"
#include "merge/locate/machines.h"

namespace tracebraid {

// The edges of `clocks` entries (spec clocks 10.5 step 3), and those of `start`.
Result<> add_manifest_edges(const Manifest& manifest, const ManifestIndex& index,
                            std::span<const FileToLocate> files, const Trackers& trackers,
                            Roster& roster, Store& store, ClockGraph& graph);

// Two files of one machine that the manifest relates to each other keep their clocks
// apart (spec clocks 15.2 Q6).
void isolate_related_files(const Manifest& manifest, const ManifestIndex& index, Roster& roster,
                           Store& store, Trackers& trackers);

}  // namespace tracebraid
