#include "export/trace_json/losses.h"

#include <algorithm>

#include "export/row_nouns.h"

namespace tracebraid {

std::vector<std::string> losses_in_json(const Store& store) {
  constexpr std::string_view kNotLost[] = {
      "__intrinsic_trace_file",
      "__intrinsic_machine",
      "__intrinsic_metadata",
      "__intrinsic_stats",
      "__intrinsic_trace_import_logs",
      "__intrinsic_process",
      "__intrinsic_thread",
      "__intrinsic_cpu",
      "__intrinsic_gpu",
      "__intrinsic_args",
      "__intrinsic_args_full",
      "__intrinsic_track",
      "__intrinsic_slice",
      "__intrinsic_counter",
      "__intrinsic_flow",
      "__intrinsic_sched_slice",
      "__intrinsic_thread_state",
      "__intrinsic_profiler_sample",
      "__intrinsic_json_sample",
      "__intrinsic_track_event_callstacks",
      "__intrinsic_logs",
      // The provenance of the trace.
      "__intrinsic_trace_diagnostics",
      "__intrinsic_clock_snapshot",
      "__intrinsic_clock",
      "__intrinsic_clock_edge",
      "__intrinsic_clock_contradiction",
      "__intrinsic_placement",
      "__intrinsic_source_clock",
      "__intrinsic_flow_violation",
      "__intrinsic_flow_bound",
      "__intrinsic_json_trace_clock",
      "__intrinsic_json_clock_edge",
      "__intrinsic_json_clock_sync_marker",
      "__intrinsic_cpu_freq",
      // Tables that others refer to, whose rows are written or counted.
      "__intrinsic_stack_profile_mapping",
      "__intrinsic_stack_profile_frame",
      "__intrinsic_stack_profile_callsite",
      "__intrinsic_stack_profile_symbol",
      "__intrinsic_profiler_task_context",
      "__intrinsic_profiler_execution_context",
      "__intrinsic_profiler_session",
      "__intrinsic_profiler_async_context",
      "__intrinsic_chrome_stack_sample_extras",
      "__intrinsic_heap_profile",
      "__intrinsic_heap_graph",
      "__intrinsic_heap_graph_class",
      "__intrinsic_heap_graph_reference",
  };
  std::vector<std::string> lines;
  for (const TableView& table : store.views())
    if (table.rows != 0 && std::ranges::count(kNotLost, table.name) == 0)
      lines.push_back(not_exported(table.rows, table.name));
  return lines;
}

}  // namespace tracebraid
