// build_tables(): from placed, sorted events to tables.
#pragma once

#include <span>
#include <vector>

#include "base/progress.h"
#include "base/workers.h"
#include "event/batch.h"
#include "event/flow_join.h"
#include "event/order.h"
#include "tables/store.h"

namespace tracebraid {

// All batches' names as one list without repeats. `machine` fields are rows of
// machine, `file` fields are set, strings are of Store::strings, arg sets are
// in `args`.
struct Names {
  std::vector<ProcessName> processes;
  std::vector<ThreadName> threads;
  std::vector<TrackName> tracks;
  ArgSets args;
  std::vector<SampleSession> sessions;  // the i-th is row i of profiler_session
};

// A batch after placing. `ts` of its events is trace time; strings are of
// Store::strings; process, thread and track indexes are of Names. Args, extras,
// flows and CPUs stay the batch's own; `machine` fields index `machines`.
struct PlacedBatch {
  FileId file;
  std::vector<MachineId> machines;       // of batch.machines
  std::vector<uint32_t> clock_machines;  // index of `machines`, for each clock of the batch
  EventBatch batch;
};

// A stat that building bumped.
struct BuildStat {
  Stat stat;
  uint32_t machine;  // row of machine
  FileId file;
  int32_t index = -1;
  int64_t value = 1;
};

// A row for the import log, with args in Store::args.
struct BuildLog {
  Stat stat;
  FileId file;
  int64_t ts;
  uint32_t arg_set_id;  // kNone if none
};

struct BuildReport {
  std::vector<BuildStat> stats;
  std::vector<BuildLog> log;
};

struct BuildOptions {
  JoinFlows join_flows = JoinFlows::Auto;
  const Progress* progress = nullptr;  // when it is cancelled the tables are left as they are
};

// Fills processes, threads, cpus, cpu_freqs, tracks, slices, counters, states,
// flows, sched, thread_states, spurious_wakeups, ftrace_events, logs,
// chrome_raw, the tables of callstacks and samples, args and the trace bounds of `store`.
// `store.machines` must be complete; Run::batch indexes `batches`. Frees what it has used up of
// `batches`.
//
// Untimed events of all batches come first, in the order of `batches`.
BuildReport build_tables(const Names& names, std::vector<PlacedBatch>& batches,
                         std::span<const Run> runs, Workers& workers, Store& store,
                         const BuildOptions& options = {});

}  // namespace tracebraid
