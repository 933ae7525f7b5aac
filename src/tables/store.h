// Store: the tables of a merged trace. Filled once, then only read.
#pragma once

#include <vector>

#include "base/string_pool.h"
#include "tables/args_table.h"
#include "tables/json_tables.h"
#include "tables/plain_tables.h"
#include "tables/tables.h"

namespace tracebraid {

struct Store {
  StringPool strings;

  TraceFileTable files;
  MachineTable machines;
  MetadataTable metadata;
  StatsTable stats;
  ImportLogTable import_logs;
  ClockSnapshotTable clock_snapshots;

  ProcessTable processes;
  ThreadTable threads;
  CpuTable cpus;
  CpuFreqTable cpu_freqs;
  GpuTable gpu;

  ArgsTable args;
  TrackTable tracks;
  SliceTable slices;
  CounterTable counters;
  StateTable states;
  FlowTable flows;
  SchedTable sched;
  ThreadStateTable thread_states;
  SpuriousWakeupTable spurious_wakeups;
  FtraceEventTable ftrace_events;
  LogTable logs;
  ChromeRawTable chrome_raw;

  StackMappingTable stack_mappings;
  StackFrameTable stack_frames;
  StackCallsiteTable stack_callsites;
  StackSymbolTable stack_symbols;
  ProfilerSampleTable profiler_samples;
  ProfilerTaskContextTable profiler_task_contexts;
  ProfilerExecutionContextTable profiler_execution_contexts;
  ProfilerAsyncContextTable profiler_async_contexts;
  ProfilerSessionTable profiler_sessions;
  ProfilerCounterSetTable profiler_counter_sets;
  ChromeSampleExtrasTable chrome_sample_extras;
  TrackEventCallstacksTable track_event_callstacks;
  JsonSampleTable json_samples;
  HeapProfileTable heap_profiles;
  HeapProfileAllocationTable heap_profile_allocations;
  HeapGraphTable heap_graphs;
  HeapGraphClassTable heap_graph_classes;
  HeapGraphObjectTable heap_graph_objects;
  HeapGraphReferenceTable heap_graph_references;

  JsonUnfinishedCompleteTable json_unfinished_complete;
  JsonUnhandledEventTable json_unhandled_events;
  JsonMetadataEventTable json_metadata_events;
  JsonTables json;

#define TB_PLAIN_MEMBER(Table, member) Table member;
  TB_PLAIN_TABLES(TB_PLAIN_MEMBER)
#undef TB_PLAIN_MEMBER
  JsonClockSyncMarkerTable json_clock_sync_markers;
  JsonClockEdgeTable json_clock_edges;
  JsonTraceClockTable json_trace_clocks;

  ClockTable clocks;
  ClockEdgeTable clock_edges;
  ClockContradictionTable clock_contradictions;
  PlacementTable placements;
  FlowViolationTable flow_violations;
  FlowBoundTable flow_bounds;

  int64_t trace_start = 0;  // ns; spec clocks 9.3
  int64_t trace_end = 0;
  uint32_t timeline_machine = 0;  // row of machine whose clock trace time is

  Store() = default;
  Store(const Store&) = delete;  // views point into it: it stays where it is
  Store& operator=(const Store&) = delete;

  // Views of all tables. They point into the store.
  std::vector<TableView> views() const;

 private:
  std::vector<TableView> common_views() const;  // of all but `json`
};

}  // namespace tracebraid
