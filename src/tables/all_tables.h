// All tables of a store that are lists of columns: all but args.
#pragma once

#include "tables/store.h"

namespace tracebraid {

template <class AnyStore, class Visit>
void for_each_table(AnyStore& s, Visit visit) {
  visit(s.files), visit(s.machines), visit(s.metadata), visit(s.stats), visit(s.import_logs);
  visit(s.clock_snapshots), visit(s.processes), visit(s.threads), visit(s.cpus);
  visit(s.cpu_freqs), visit(s.gpu), visit(s.tracks), visit(s.slices), visit(s.counters);
  visit(s.states), visit(s.flows), visit(s.sched), visit(s.thread_states);
  visit(s.spurious_wakeups), visit(s.ftrace_events), visit(s.logs), visit(s.chrome_raw);
  visit(s.stack_mappings), visit(s.stack_frames), visit(s.stack_callsites);
  visit(s.stack_symbols), visit(s.profiler_samples), visit(s.profiler_task_contexts);
  visit(s.profiler_execution_contexts), visit(s.profiler_async_contexts);
  visit(s.profiler_sessions), visit(s.profiler_counter_sets), visit(s.chrome_sample_extras);
  visit(s.track_event_callstacks), visit(s.json_samples), visit(s.heap_profiles);
  visit(s.heap_profile_allocations), visit(s.heap_graphs), visit(s.heap_graph_classes);
  visit(s.heap_graph_objects), visit(s.heap_graph_references);
  visit(s.json_unfinished_complete), visit(s.json_unhandled_events);
  visit(s.json_metadata_events), visit(s.json_clock_sync_markers), visit(s.json_clock_edges);
  visit(s.json_trace_clocks), visit(s.clocks), visit(s.clock_edges);
  visit(s.clock_contradictions), visit(s.placements), visit(s.flow_violations);
  visit(s.flow_bounds);
  visit(s.json.async_slices), visit(s.json.user_timings), visit(s.json.colours);
  visit(s.json.instances), visit(s.json.snapshots), visit(s.json.refs), visit(s.json.contexts);
  visit(s.json.slice_contexts), visit(s.json.linked_ids), visit(s.json.id_classes);
  visit(s.json.annotations), visit(s.json.memory_dumps), visit(s.json.memory_totals);
  visit(s.json.memory_regions), visit(s.json.heap_entries);
#define TB_VISIT_PLAIN(Table, member) visit(s.member);
  TB_PLAIN_TABLES(TB_VISIT_PLAIN)
#undef TB_VISIT_PLAIN
}

}  // namespace tracebraid
