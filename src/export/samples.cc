#include "export/samples.h"

#include <algorithm>

#include "assemble/identity/cpus.h"

namespace tracebraid {

bool ExportedSamples::next(ExportedSample& sample) {
  const JsonSampleTable& json = store_.json_samples;
  const ProfilerSampleTable& rows = store_.profiler_samples;
  const bool has_row = row_ < rows.rows(), has_json = json_row_ < json.rows();
  if (!has_row && !has_json) return false;
  sample = {};
  if (has_json && (!has_row || is_next(json_row_))) {
    sample.json_row = json_row_++;
    sample.ts = json.ts[sample.json_row];
    sample.utid = json.utid[sample.json_row];
    sample.callsite = json.callsite_id[sample.json_row];
    sample.source = json.source[sample.json_row];
    const OptInt cpu = json.cpu[sample.json_row];
    if (cpu.value != OptInt::kNull && cpu.value >= 0 && cpu.value < kCpusOfMachine)
      sample.ucpu = {static_cast<uint32_t>(cpu.value)};
    if (!has_row || !is_same(row_, sample.json_row)) return true;
  }
  sample.row = row_++;
  fill(sample);
  return true;
}

bool ExportedSamples::is_same(uint32_t row, uint32_t json_row) const {
  const JsonSampleTable& json = store_.json_samples;
  const ProfilerSampleTable& rows = store_.profiler_samples;
  return rows.ts[row] == json.ts[json_row] && rows.source[row] == json.source[json_row] &&
         rows.callsite_id[row].row == json.callsite_id[json_row].row &&
         thread_of(row).row == json.utid[json_row].row;
}

OptRow ExportedSamples::thread_of(uint32_t row) const {
  const OptRow task = store_.profiler_samples.task_context_id[row];
  return task.row == OptRow::kNull ? OptRow() : store_.profiler_task_contexts.utid[task.row];
}

// Whether the row of json_sample is before or equal to the next of profiler_sample.
bool ExportedSamples::is_next(uint32_t json_row) const {
  const ProfilerSampleTable& rows = store_.profiler_samples;
  const int64_t ts = store_.json_samples.ts[json_row];
  if (ts < rows.ts[row_] || is_same(row_, json_row)) return true;
  if (ts > rows.ts[row_]) return false;
  for (uint32_t later = row_; later < rows.rows() && rows.ts[later] == ts; ++later)
    if (is_same(later, json_row)) return false;
  return true;
}

void ExportedSamples::fill(ExportedSample& sample) const {
  const ProfilerSampleTable& rows = store_.profiler_samples;
  sample.ts = rows.ts[sample.row];
  sample.source = rows.source[sample.row];
  sample.callsite = rows.callsite_id[sample.row];
  sample.session = rows.session_id[sample.row];
  if (const OptRow task = rows.task_context_id[sample.row]; task.row != OptRow::kNull) {
    sample.utid = store_.profiler_task_contexts.utid[task.row];
    sample.upid = store_.profiler_task_contexts.upid[task.row];
  }
  if (const OptRow at = rows.execution_context_id[sample.row]; at.row != OptRow::kNull) {
    sample.ucpu = store_.profiler_execution_contexts.ucpu[at.row];
    sample.cpu_mode = store_.profiler_execution_contexts.cpu_mode[at.row];
  }
}

uint32_t machine_of(const Store& store, const ExportedSample& sample) {
  if (sample.utid.row != OptRow::kNull) return store.threads.machine_id[sample.utid.row];
  if (sample.upid.row != OptRow::kNull) return store.processes.machine_id[sample.upid.row];
  if (sample.row != OptRow::kNull && sample.ucpu.row != OptRow::kNull)
    return sample.ucpu.row / kCpusOfMachine;
  if (sample.session.row != OptRow::kNull &&
      store.profiler_sessions.machine_id[sample.session.row].row != OptRow::kNull)
    return store.profiler_sessions.machine_id[sample.session.row].row;
  return store.timeline_machine;
}

OptRow process_of(const Store& store, const ExportedSample& sample) {
  return sample.utid.row == OptRow::kNull ? sample.upid : store.threads.upid[sample.utid.row];
}

OptRow symbol_of_frame(const Store& store, uint32_t frame) {
  const OptRow set = store.stack_frames.symbol_set_id[frame];
  if (set.row == OptRow::kNull) return {};
  const auto sets = store.stack_symbols.symbol_set_id.values();
  const auto at = std::ranges::lower_bound(sets, set.row);
  if (at == sets.end() || *at != set.row) return {};
  return {static_cast<uint32_t>(at - sets.begin())};
}

SliceCallstacks::SliceCallstacks(const Store& store) {
  const TrackEventCallstacksTable& stacks = store.track_event_callstacks;
  entries_.reserve(stacks.rows());
  for (uint32_t row = 0; row < stacks.rows(); ++row)
    entries_.push_back({stacks.slice_id[row], row});
  std::ranges::stable_sort(entries_, {}, &Entry::slice);
}

std::span<const SliceCallstacks::Entry> SliceCallstacks::of(uint32_t slice) const {
  return std::ranges::equal_range(entries_, slice, {}, &Entry::slice);
}

}  // namespace tracebraid
