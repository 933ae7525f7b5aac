// Base times: relates files to wall-clock time whose times count from a moment that the file states
// (spec alignment 9).
//
// A definition (SnapshotKind::BaseTime) says that the times count from that moment at the rate of
// the wall clock, as baseTimeNanoseconds of Kineto does: the bound does not grow with the distance
// from the moment. A start time (SnapshotKind::WallClock) is a reading of the wall clock, made when
// the recording began: the clocks drift apart from the first event on.
//
// Input: the snapshots that is_base_time() accepts. Output: relations in the clock graph. Called by
// locate().
#pragma once

#include <span>
#include <vector>

#include "merge/locate/evidence.h"

namespace tracebraid {

// Files of a machine that the manifest names have the wall clock of this machine. Of other machines
// only the first file does; for the rest the bound of a rendezvous is added, because nothing shows
// that they come from one machine. Requires: the clocks that were read together are in the graph.
void add_base_times(std::span<const FileToLocate> files, const MachineRegistry& registry,
                    const Trackers& trackers, std::span<const std::vector<ClockId>> nodes,
                    ClockGraph& graph, EvidenceReport& report);

}  // namespace tracebraid
