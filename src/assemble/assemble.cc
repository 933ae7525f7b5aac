#include "assemble/assemble.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "assemble/args/deferred_args.h"
#include "assemble/dispatch.h"
#include "assemble/flows/flow_stage.h"
#include "assemble/flows/flows.h"
#include "assemble/flows/json_flows.h"
#include "assemble/identity/cpus.h"
#include "assemble/identity/gpus.h"
#include "assemble/identity/identity.h"
#include "assemble/identity/life_stage.h"
#include "assemble/json/rows.h"
#include "assemble/kernel/kernel.h"
#include "assemble/order/event_order.h"
#include "assemble/problems.h"
#include "assemble/queue/task_queue.h"
#include "assemble/rows/bounds.h"
#include "assemble/rows/plain_tables.h"
#include "assemble/rows/row_stage.h"
#include "assemble/rows/source_clocks.h"
#include "assemble/samples/deobfuscate.h"
#include "assemble/samples/heap_graphs.h"
#include "assemble/samples/methods.h"
#include "assemble/samples/samples.h"
#include "assemble/samples/stacks.h"
#include "assemble/scheduling/sched.h"
#include "assemble/scheduling/thread_states.h"
#include "assemble/slices/async_steps.h"
#include "assemble/slices/slice_stacks.h"
#include "assemble/slices/slice_stage.h"
#include "assemble/slices/slices.h"
#include "assemble/stats.h"
#include "assemble/tracks/tracks.h"

namespace tracebraid {
namespace {

// Returns by machine whether pid and tid 0 are the idle task, as on machines that a kernel
// recorded. In JSON they are ordinary numbers.
std::unique_ptr<bool[]> zero_is_idle(std::span<const PlacedBatch> batches, size_t machines) {
  auto result = std::make_unique<bool[]>(machines);
  for (const PlacedBatch& from : batches)
    if (!from.is_json())
      for (const MachineId machine : from.machines) result[machine.row] = true;
  return result;
}

ArgSourceList arg_sources(const Names& names, std::span<PlacedBatch> batches,
                          const PlacedBatch& made) {
  ArgSourceList sources;
  for (PlacedBatch& from : batches) {
    sources.all.push_back(&from.batch.args);
    sources.packed.push_back(&from.batch.args);
  }
  sources.all.push_back(&made.batch.args);
  sources.all.push_back(&names.args);
  return sources;
}

bool has_several_files(std::span<const PlacedBatch> batches) {
  return std::ranges::any_of(
      batches, [&](const PlacedBatch& from) { return from.file != batches.front().file; });
}

// Passes events to the stages, and frees batches whose events were all passed.
class Feeder {
 public:
  Feeder(const Stages& stages, std::span<const Run> runs, DeferredArgs& args,
         SourceClocks& source_clocks, const Progress* progress, std::vector<PlacedBatch>& batches)
      : stages_(stages),
        args_(args),
        source_clocks_(source_clocks),
        progress_(progress),
        batches_(batches),
        left_(batches.size()) {
    for (const Run& run : runs) left_[run.batch] += run.size();
  }

  void add_untimed() {
    for (uint32_t i = 0; i < batches_.size(); ++i) {
      for (const Event& event : batches_[i].batch.untimed) pass(event, i, 0);
      batches_[i].batch.untimed = {};
    }
  }
  void operator()(const Event& event, uint32_t batch, uint64_t sequence) {
    if (is_cancelled()) return;
    add(event, batch, sequence);
    done(batch, 1);
  }
  void operator()(std::span<const SchedRecord> records, uint32_t batch) {
    if (is_cancelled()) return;
    stages_.sched.add_records(records, batch, batches_[batch]);
    done(batch, records.size());
  }

 private:
  bool is_cancelled() const { return progress_ != nullptr && progress_->cancelled(); }
  void add(const Event& event, uint32_t batch, uint64_t sequence) {
    stages_.tracks.set_clock(batches_[batch].clock_row_of(event));
    source_clocks_.note(event, batch);
    pass(event, batch, sequence);
  }
  void pass(const Event& event, uint32_t batch, uint64_t sequence) {
    dispatch({event, batches_[batch], batch, sequence}, stages_, batches_);
  }
  void done(uint32_t batch, size_t events) {
    if ((left_[batch] -= events) > 0) return;
    EventBatch& from = batches_[batch].batch;
    from.streams = {};
    from.sched = {};
    stages_.sched.end_of_batch(batch);
    args_.used_up(batch);
  }

  const Stages& stages_;
  DeferredArgs& args_;
  SourceClocks& source_clocks_;
  const Progress* progress_;
  std::vector<PlacedBatch>& batches_;
  std::vector<size_t> left_;  // events not passed yet, by batch
};

// `new_rows` maps old rows of slice to new ones; empty if they did not move.
void move_slices(std::span<const uint32_t> new_rows, FlowTable& flows) {
  if (new_rows.empty()) return;
  for (size_t i = 0; i < flows.rows(); ++i) {
    const uint32_t out = flows.slice_out[i], in = flows.slice_in[i];
    flows.slice_out.at(i) = new_rows[out];
    flows.slice_in.at(i) = new_rows[in];
  }
}

}  // namespace

AssembleReport assemble_tables(const Names& names, std::vector<PlacedBatch>& batches,
                               std::span<const Run> runs, Workers& workers, Store& store,
                               const AssembleOptions& options) {
  // State that stages share: task queues, problems, args that stages make.
  TaskQueues queues;
  Problems problems;
  PlacedBatch made;

  // Processes, threads and CPUs.
  Cpus cpus;
  const size_t machines = store.machines.rows();
  Identity identity(names, {zero_is_idle(batches, machines).get(), machines}, store, problems);
  DeferredArgs args(queues, arg_sources(names, batches, made), identity, store.strings, store.args,
                    store.ftrace_events);
  Gpus gpus(batches, args, store);
  Tracks tracks(names, identity, args, cpus, gpus, store);

  // Slices, and their relations.
  Slices slices(queues, batches, args, problems, options.lenient_ends, store);
  Causality causality(machines > 1 || has_several_files(batches));
  Flows flows(args, problems, options.join_flows, causality, store);
  JsonFlows json_flows(args, problems, options.join_flows, causality, store);
  AsyncSteps steps(args, problems, store);
  Stacks stacks(batches, args, problems, store);
  name_methods(batches, stacks, store.strings);
  SliceStacks slice_stacks(stacks, store);
  JsonRows json_rows(batches, identity, args, stacks, problems, store);
  FlowStage flow_stage{tracks, slices, stacks, flows, json_flows};
  SliceDetails slice_details{tracks, flows, slice_stacks, json_rows};
  OverlapLog overlaps{slices, args, problems, store};
  SliceStage slice_stage{tracks, slices, steps, slice_details, overlaps, problems};

  // States of threads, and kernel events.
  ThreadStates thread_states(queues, args, cpus, store);
  LifeStage lives(identity, args, thread_states, store);
  Sched sched(identity, thread_states, args, cpus, problems, store);
  Kernel kernel({identity, tracks, slices, flows, args, thread_states, problems, made, store}, cpus,
                batches);

  // Samples, and rows that readers emit.
  PlainTables plain_tables(args, tracks, stacks, store);
  RowStage rows(identity, args, tracks, thread_states, store);
  Samples samples(names, identity, cpus, tracks, stacks, problems, store);
  HeapGraphs heap_graphs(store);

  // Passes every event, in order of time, to the stage for its kind.
  const Stages stages{identity, tracks, lives,        slice_stage, flow_stage,  rows,
                      sched,    kernel, plain_tables, samples,     heap_graphs, json_rows};
  SourceClocks source_clocks(batches);
  Feeder feeder(stages, runs, args, source_clocks, options.progress, batches);
  feeder.add_untimed();
  for_each_in_order(names.tracks, batches, runs, workers, queues, std::ref(feeder));
  tracks.set_clock(Tracks::kNoClock);

  // Completes what depends on all events: owners, states that never ended, children of slices.
  lives.finish_starts();
  kernel.finish();
  thread_states.finish();
  args.finish_rows();
  for (const AsyncSteps::Made& step : steps.make_slices(slices))
    json_rows.step(step.slice, step.parent, step.batch, step.extra);

  // Sorts slices by time, and updates rows that refer to slices.
  slices.finish_rows();
  json_flows.bind(tracks);
  const std::vector<uint32_t> new_rows = slices.finish(workers);
  args.resolve_placeholders(store.counters.arg_set_id);
  move_slices(new_rows, store.flows);
  if (!new_rows.empty()) slice_stacks.move_slices(new_rows);
  json_rows.finish(new_rows, json_flows.linkable_ids());
  causality.fill(new_rows, store);

  // Fills facts and bounds.
  tracks.fill_clocks();
  source_clocks.fill(batches, store);
  lives.fill_args();
  cpus.fill(batches, args, store);
  stacks.finish();
  deobfuscate(batches, problems, store);
  find_bounds(store);
  json_rows.finish_annotations();
  if (const uint64_t dropped = store.args.dropped_sets(); dropped != 0)
    problems.count(stats::arg_sets_dropped, 0, {}, -1, static_cast<int64_t>(dropped));
  return std::move(problems).finish();
}

}  // namespace tracebraid
