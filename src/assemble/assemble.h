// assemble_tables(): builds tables from placed, sorted events.
//
// Input: placed batches and their runs, sorted by time. Output: the tables of a Store. Called by
// merge.
#pragma once

#include <span>
#include <vector>

#include "assemble/placed_batch.h"
#include "assemble/report.h"
#include "base/progress.h"
#include "base/workers.h"
#include "event/flow_join.h"
#include "event/order.h"
#include "tables/store.h"

namespace tracebraid {

struct AssembleOptions {
  JoinFlows join_flows = JoinFlows::Auto;
  bool lenient_ends = false;           // an end of a JSON thread ends the innermost slice
  const Progress* progress = nullptr;  // cancelling leaves the tables incomplete
};

// Fills processes, threads, cpus, cpu_freqs, tracks, slices, counters, states, flows, sched,
// thread_states, spurious_wakeups, ftrace_events, logs, chrome_raw, the tables of callstacks and
// samples, args and the trace bounds of `store`. Requires: `store.machines` is complete. Run::batch
// indexes `batches`, which are freed while they are used.
//
// Untimed events of all batches come first, in the order of `batches`.
AssembleReport assemble_tables(const Names& names, std::vector<PlacedBatch>& batches,
                               std::span<const Run> runs, Workers& workers, Store& store,
                               const AssembleOptions& options = {});

}  // namespace tracebraid
