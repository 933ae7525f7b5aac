#include "tables/store.h"

namespace tracebraid {

std::vector<TableView> Store::views() const {
  std::vector<TableView> all = common_views();
  json.add_views(all);
  return all;
}

std::vector<TableView> Store::common_views() const {
  return {files.view(),
          machines.view(),
          metadata.view(),
          stats.view(),
          import_logs.view(),
          clock_snapshots.view(),
          processes.view(),
          threads.view(),
          cpus.view(),
          cpu_freqs.view(),
          gpu.view(),
          args.view(),
          tracks.view(),
          slices.view(),
          counters.view(),
          states.view(),
          flows.view(),
          sched.view(),
          thread_states.view(),
          spurious_wakeups.view(),
          ftrace_events.view(),
          logs.view(),
          chrome_raw.view(),
          stack_mappings.view(),
          stack_frames.view(),
          stack_callsites.view(),
          stack_symbols.view(),
          profiler_samples.view(),
          profiler_task_contexts.view(),
          profiler_execution_contexts.view(),
          profiler_async_contexts.view(),
          profiler_sessions.view(),
          profiler_counter_sets.view(),
          chrome_sample_extras.view(),
          track_event_callstacks.view(),
          json_samples.view(),
          heap_profiles.view(),
          heap_profile_allocations.view(),
          heap_graphs.view(),
          heap_graph_classes.view(),
          heap_graph_objects.view(),
          heap_graph_references.view(),
          json_unfinished_complete.view(),
          json_unhandled_events.view(),
          json_metadata_events.view(),
          json_clock_sync_markers.view(),
          json_clock_edges.view(),
          clock_contradictions.view(),
          json_trace_clocks.view(),
#define TB_PLAIN_VIEW(Table, member) member.view(),
          TB_PLAIN_TABLES(TB_PLAIN_VIEW)
#undef TB_PLAIN_VIEW
              clocks.view(),
          clock_edges.view(),
          placements.view(),
          flow_violations.view(),
          flow_bounds.view()};
}

}  // namespace tracebraid
