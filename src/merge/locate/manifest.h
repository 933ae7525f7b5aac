// Adds the relations of the manifest to the clock graph.
#pragma once

#include <span>
#include <vector>

#include "clock/clock_graph.h"
#include "merge/locate/clocks.h"
#include "merge/locate/located.h"
#include "merge/locate/machines.h"

namespace tracebraid {

// Adds the edges of `clocks` entries (spec clocks 10.5 step 3) and of `start`. Returns what they
// relate.
Result<std::vector<ManifestRelation>> add_manifest_edges(
    const Manifest& manifest, const ManifestIndex& index, std::span<const FileToLocate> files,
    const Trackers& trackers, MachineRegistry& registry, Store& store, ClockGraph& graph);

// Relates the clocks of the events of files in one `clock_group` as one clock. Warns of a group of
// one file.
Result<> tie_clock_groups(const Manifest& manifest, const ManifestIndex& index,
                          std::span<const FileToLocate> files, const Trackers& trackers,
                          MachineRegistry& registry, Store& store, ClockGraph& graph,
                          std::vector<Problem>& warnings);

// Notes which kinds of content may relate each file.
void limit_kinds(const MachineRegistry& registry, Trackers& trackers);

// Separates the clocks of two files of one machine that the manifest relates to each other (spec
// clocks 15.2 Q6).
void isolate_related_files(const Manifest& manifest, const ManifestIndex& index,
                           MachineRegistry& registry, Store& store, Trackers& trackers);

}  // namespace tracebraid
