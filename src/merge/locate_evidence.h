// Evidence: all that files and the manifest say of how clocks relate.
#pragma once

#include <absl/container/flat_hash_set.h>

#include <span>
#include <vector>

#include "clock/clock_graph.h"
#include "merge/locate.h"
#include "merge/locate_clocks.h"
#include "merge/locate_machines.h"

namespace tracebraid {

// The edges of `clocks` entries (spec clocks 10.5 step 3).
Result<> add_manifest_edges(const Manifest& manifest, const ManifestIndex& index,
                            std::span<const FileToLocate> files, const Trackers& trackers,
                            Roster& roster, Store& store, ClockGraph& graph);

// Two files of one machine that the manifest relates to each other keep their clocks
// apart (spec clocks 15.2 Q6).
void isolate_related_files(const Manifest& manifest, const ManifestIndex& index, Roster& roster,
                           Store& store, Trackers& trackers);

struct EvidenceReport {
  int64_t invalid_snapshots = 0;
  std::vector<LocateLog> logs;
  // Snapshots of a ping's client from before anything related it to the
  // timeline: not recorded (spec clocks 3.5).
  absl::flat_hash_set<uint32_t> unrecorded;  // index in graph.snapshots()
};

// Snapshots and pings of all batches, in order. `nodes[i]` are those of batch i,
// by clock; none for times that need no conversion.
void add_file_evidence(std::span<const FileToLocate> files, const Roster& roster,
                       const Trackers& trackers, std::span<const std::vector<ClockId>> nodes,
                       ClockGraph& graph, EvidenceReport& report);

}  // namespace tracebraid
