// Evidence: adds the relations between clocks in files to the clock graph.
#pragma once

#include <absl/container/flat_hash_set.h>

#include <span>
#include <vector>

#include "clock/clock_graph.h"
#include "merge/locate/clocks.h"
#include "merge/locate/located.h"
#include "merge/locate/machines.h"

namespace tracebraid {

struct EvidenceReport {
  int64_t invalid_snapshots = 0;
  std::vector<RefusedSnapshot> refused;  // the first ones of each file
  std::vector<LocateLog> logs;
  // Snapshots of the client of a ping from before the client was related to the timeline: not
  // recorded (spec clocks 3.5).
  absl::flat_hash_set<uint32_t> unrecorded;  // index in graph.snapshots()
};

// Whether the snapshot says from which moment of wall-clock time a private clock counts. Such
// snapshots and dates are added later (merge/locate/base_times.h, dates.h).
bool is_base_time(const Snapshot& snapshot, const EventBatch& batch);

// Adds snapshots and pings of all batches, in order. `nodes[i]` has the nodes of batch i, by clock;
// none for times that need no conversion.
void add_file_evidence(std::span<const FileToLocate> files, const MachineRegistry& registry,
                       const Trackers& trackers, std::span<const std::vector<ClockId>> nodes,
                       ClockGraph& graph, EvidenceReport& report);

}  // namespace tracebraid
