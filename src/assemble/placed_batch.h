// The input of assembling: one list of names for all files, and batches with trace times.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "base/id.h"
#include "event/batch.h"

namespace tracebraid {

// The distinct names of all batches. `machine` fields are rows of machine, `file` fields are set,
// strings are of Store::strings, arg sets are in `args`.
struct Names {
  std::vector<ProcessName> processes;
  std::vector<ThreadName> threads;
  std::vector<TrackName> tracks;
  ArgSets args;
  std::vector<SampleSession> sessions;  // the i-th is row i of profiler_session
  // Names that tracks of processes get for those of their first events, by file.
  absl::flat_hash_map<std::pair<FileId, StringId>, StringId> process_track_names = {};
};

// A batch after placing. `ts` of its events is trace time; strings are of Store::strings; process,
// thread and track indexes are of Names. Args, extras, flows and CPUs are local to the batch;
// `machine` fields index `machines`.
struct PlacedBatch {
  FileId file;
  std::vector<MachineId> machines;       // of batch.machines
  std::vector<uint32_t> clock_machines;  // index of `machines`, for each clock of the batch
  // The row of clock of each clock of the batch; kNone: trace time, or no times. May be empty.
  std::vector<uint32_t> clock_rows = {};
  EventBatch batch;

  bool is_json() const { return batch.tie_rule == TieRule::TraceEventFormat; }
  // Returns the row of machine of an event.
  uint32_t machine_of(const Event& event) const {
    return machines[clock_machines[event.clock]].row;
  }
  uint32_t clock_row_of(const Event& event) const {
    return event.clock < clock_rows.size() ? clock_rows[event.clock] : kNone;
  }
};

}  // namespace tracebraid
