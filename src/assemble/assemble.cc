#include "assemble/assemble.h"

#include <map>
#include <memory>
#include <utility>

#include "assemble/args/deferred_args.h"
#include "assemble/args/owner_args.h"
#include "assemble/flows/flows.h"
#include "assemble/flows/json_flows.h"
#include "assemble/identity/cpus.h"
#include "assemble/identity/gpus.h"
#include "assemble/identity/identity.h"
#include "assemble/json/rows.h"
#include "assemble/kernel/kernel.h"
#include "assemble/order/event_order.h"
#include "assemble/problems.h"
#include "assemble/queue/task_queue.h"
#include "assemble/rows/bounds.h"
#include "assemble/rows/plain_rows.h"
#include "assemble/rows/plain_tables.h"
#include "assemble/rows/states.h"
#include "assemble/samples/heap_graphs.h"
#include "assemble/samples/samples.h"
#include "assemble/samples/stacks.h"
#include "assemble/scheduling/sched.h"
#include "assemble/scheduling/thread_states.h"
#include "assemble/slices/async_steps.h"
#include "assemble/slices/slice_stacks.h"
#include "assemble/slices/slices.h"
#include "assemble/tracks/tracks.h"
#include "base/assert.h"
#include "event/event_kind.h"

namespace tracebraid {
namespace {

// Where pid and tid 0 are the idle task: on machines that a kernel recorded. In
// JSON they are numbers like others.
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

// The builders, and which event goes to which of them.
class TableBuilder {
 public:
  TableBuilder(const Names& names, std::span<PlacedBatch> batches, const AssembleOptions& options,
               Store& store)
      : batches_(batches),
        store_(store),
        identity_(names,
                  {zero_is_idle(batches, store.machines.rows()).get(), store.machines.rows()},
                  store, problems_),
        args_(queues_, arg_sources(names, batches, made_), identity_, store.strings, store.args,
              store.ftrace_events),
        gpus_(batches, args_, store),
        tracks_(names, identity_, args_, cpus_, gpus_, store),
        slices_(queues_, batches, args_, problems_, store),
        states_(args_, store),
        causality_(store.machines.rows() > 1 || has_several_files(batches)),
        flows_(args_, problems_, options.join_flows, causality_, store),
        json_flows_(args_, problems_, options.join_flows, causality_, store),
        steps_(args_, problems_, store),
        stacks_(batches, args_, problems_, store),
        plain_tables_(args_, tracks_, stacks_, store),
        json_rows_(batches, identity_, args_, stacks_, problems_, store),
        thread_states_(queues_, args_, cpus_, store),
        sched_(identity_, thread_states_, args_, cpus_, problems_, store),
        kernel_(
            {identity_, tracks_, slices_, flows_, args_, thread_states_, problems_, made_, store},
            batches),
        slice_stacks_(stacks_, store),
        samples_(names, identity_, cpus_, tracks_, stacks_, store),
        heap_graphs_(store) {}

  void add(const Event& event, uint32_t batch, uint64_t sequence);
  void add(std::span<const SchedRecord> records, uint32_t batch) {
    sched_.add_records(records, batch, batches_[batch]);
  }
  // What may be done on another thread.
  TaskQueues& queues() { return queues_; }
  // No event of the batch comes any more.
  void end_of_batch(uint32_t batch) {
    sched_.end_of_batch(batch);
    args_.used_up(batch);
  }
  AssembleReport finish(Workers& workers);

 private:
  struct At {  // an event, and whose it is
    const Event& event;
    const PlacedBatch& from;
    uint32_t batch;
    uint64_t sequence;
    ArgSource args() const { return {batch, event.args}; }
    SliceEvent slice() const { return {&event, &from, batch}; }
    JsonEvent json(uint32_t machine) const { return {event, from, batch, machine, sequence}; }
  };

  void begin(const At& at);
  void end(const At& at);
  void complete(const At& at);
  void instant(const At& at);
  void begin_once(const At& at);
  void step(const At& at);
  void flow(const At& at);
  void after_slice(const At& at, uint32_t track_row, uint32_t slice, bool began);
  void log_spill(const At& at, uint32_t around);
  void process(const At& at);
  void apply_start(uint32_t process_name, uint32_t upid);
  void set_start(uint32_t upid, int64_t ts);
  void thread(const At& at);
  void new_task(const At& at);
  void ftrace(const At& at);
  uint32_t machine(const At& at) const {
    return at.from.machines[at.from.clock_machines[at.event.clock]].row;
  }
  SchedEvent sched(const At& at) const { return {&at.event, &at.from, machine(at)}; }
  SampledEvent sampled(const At& at) const { return {&at.event, &at.from, at.batch, machine(at)}; }

  std::span<PlacedBatch> batches_;
  Store& store_;
  PlacedBatch made_;  // args that building makes itself
  TaskQueues queues_;
  Problems problems_;
  Cpus cpus_;
  Identity identity_;
  DeferredArgs args_;
  Gpus gpus_;
  Tracks tracks_;
  Slices slices_;
  States states_;
  Causality causality_;
  Flows flows_;
  JsonFlows json_flows_;
  AsyncSteps steps_;
  Stacks stacks_;
  PlainTables plain_tables_;
  LogRows log_rows_;
  PastCounters past_counters_;
  JsonRows json_rows_;
  ThreadStates thread_states_;
  Sched sched_;
  Kernel kernel_;
  SliceStacks slice_stacks_;
  Samples samples_;
  HeapGraphs heap_graphs_;
  OwnerArgs process_args_, thread_args_;
  std::map<uint32_t, int64_t> starts_;  // of processes not seen yet, by name
};

void TableBuilder::add(const Event& event, uint32_t batch, uint64_t sequence) {
  const At at{event, batches_[batch], batch, sequence};
  switch (event.what()) {
    case EventKind::SliceBegin:
      return begin(at);
    case EventKind::SliceEnd:
      return end(at);
    case EventKind::Slice:
      return complete(at);
    case EventKind::Instant:
      return instant(at);
    case EventKind::SliceBeginOnce:
      return begin_once(at);
    case EventKind::AsyncStepBegin:
      return step(at);
    case EventKind::FlowStart:
    case EventKind::FlowStep:
    case EventKind::FlowEnd:
    case EventKind::FlowEndHere:
      return flow(at);
    case EventKind::Counter:
      if (const uint32_t row = tracks_.begin_row(event.track, event.name); row != kNone)
        add_counter(event, row, args_.defer(at.args()), store_);
      return;
    case EventKind::CounterUntilNow:
      if (const uint32_t row = tracks_.begin_row(event.track, event.name); row != kNone)
        past_counters_.add(event, row, args_.defer(at.args()), store_);
      return;
    case EventKind::TrackSeen:
      tracks_.instant_row(event.track, event.name);
      return;
    case EventKind::State:
      if (const uint32_t row = tracks_.begin_row(event.track, event.name); row != kNone)
        states_.change(row, event, at.args());
      return;
    case EventKind::ProcessSeen:
    case EventKind::ProcessName:
    case EventKind::ProcessParent:
    case EventKind::ProcessCmdline:
    case EventKind::ProcessUid:
    case EventKind::ProcessStart:
    case EventKind::ProcessArgs:
      return process(at);
    case EventKind::ThreadSeen:
    case EventKind::ThreadName:
    case EventKind::TaskRename:
    case EventKind::ThreadStart:
    case EventKind::ThreadEnd:
    case EventKind::ThreadArgs:
      return thread(at);
    case EventKind::NewTask:
      return new_task(at);
    case EventKind::SchedSwitch:
      return sched_.switch_full(sched(at));
    case EventKind::SchedSwitchCompact:
      return sched_.switch_compact(sched(at));
    case EventKind::SchedWaking:
      return sched_.waking(sched(at));
    case EventKind::SchedWakingCompact:
      return sched_.waking_compact(sched(at));
    case EventKind::SchedBlocked:
      return sched_.blocked(sched(at));
    case EventKind::ThreadState:
      if (const uint32_t utid = identity_.thread(event.track); utid != kNone)
        thread_states_.add_row(utid, event, at.args(), store_.threads.machine_id[utid]);
      return;
    case EventKind::FtraceEvent:
    case EventKind::FtraceMeaning:
    case EventKind::FtraceRow:
      return ftrace(at);
    case EventKind::Log:
      return log_rows_.add(event, identity_.thread(event.track), args_.set(at.args()), store_);
    case EventKind::ChromeRaw:
      if (const uint32_t utid = identity_.thread(event.track); utid != kNone)
        add_chrome_raw(event, utid, args_.set(at.args()), store_);
      return;
    case EventKind::UnfinishedComplete:
      if (const uint32_t utid = identity_.thread(event.track); utid != kNone)
        add_unfinished_complete(event, utid, args_.set(at.args()), store_);
      return;
    case EventKind::UnhandledEvent:
      return add_unhandled_event(event, identity_.thread(event.track), store_);
    case EventKind::MetadataEvent:
      if (const uint32_t utid = identity_.thread(event.track); utid != kNone)
        add_metadata_event(event, utid, args_.set(at.args()), store_);
      return;
    case EventKind::Row:
      return plain_tables_.add({event, batch, machine(at), at.from.file});
    case EventKind::Sample:
      return samples_.add(sampled(at));
    case EventKind::AggregateSamples:
      return samples_.add_aggregate(batch, plain_tables_.numbered_row(batch, event.value),
                                    batches_[batch].batch.stacks.aggregate_samples);
    case EventKind::HeapDump:
      return samples_.add_heap_dump(sampled(at));
    case EventKind::HeapGraph:
      if (event.extra < at.from.batch.stacks.heap_graphs.size())
        heap_graphs_.add(event.ts, identity_.process(event.track),
                         at.from.batch.stacks.heap_graphs[event.extra]);
      return;
    case EventKind::ObjectNew:
    case EventKind::ObjectSnapshot:
    case EventKind::ObjectDelete:
    case EventKind::ContextEnter:
    case EventKind::ContextLeave:
    case EventKind::LinkedIds:
      if (identity_.thread(event.track) != kNone) json_rows_.add(at.json(machine(at)));
      return;
    case EventKind::MemoryDump:
      if (const uint32_t row = tracks_.instant_row(event.track, {}); row != kNone)
        json_rows_.memory_dump(at.json(machine(at)), row);
      return;
    case EventKind::MetadataTime:
      return;  // metadata is merge's
  }
}

void TableBuilder::begin(const At& at) {
  const uint32_t row = tracks_.begin_row(at.event.track, at.event.name);
  if (row == kNone) return;
  const uint32_t slice = slices_.begin(row, tracks_.name(at.event.track), at.slice());
  after_slice(at, row, slice, true);
}

void TableBuilder::end(const At& at) {
  const uint32_t track = at.event.track;
  const bool is_async = tracks_.name(track).lanes == Lanes::ByCookie && at.from.is_json();
  const bool was_active = is_async && tracks_.is_active(track, at.event.name);
  const uint32_t row = tracks_.end_row(track, at.event.name);
  if (row == kNone) return;
  const TrackName& name = tracks_.name(track);
  EndRule rule = EndRule::Matching;
  if (at.from.is_json()) rule = is_async ? EndRule::JsonAsync : EndRule::JsonThread;
  const uint32_t slice = slices_.end(row, name, at.slice(), rule);
  // What ended nothing does not give the lane to others either.
  if (slice == kNone && was_active) tracks_.begin_row(track, at.event.name);
  if (slice == kNone && at.event.value == 1)
    problems_.count(stats::atrace_unmatched_end, name.machine, name.file);
  after_slice(at, row, slice, false);
}

void TableBuilder::complete(const At& at) {
  const Event& event = at.event;
  const TrackName& name = tracks_.name(event.track);
  if (event.value < 0) {
    problems_.count(stats::slice_negative_duration, name.machine, name.file);
    return;
  }
  const int64_t end = end_of(event.ts, event.value);
  uint32_t row = tracks_.complete_row(event.track, event.name, event.ts, end);
  if (row == kNone) return;
  const uint32_t around = slices_.half_overlapped(row, name, event.ts, event.value);
  if (around != kNone) {
    if (name.overlap == Overlap::Drop) {
      problems_.count(stats::slice_drop_overlapping_complete_event, name.machine, name.file);
      return;
    }
    log_spill(at, around);
    row = tracks_.spill_row(row, event.ts, end);
  }
  after_slice(at, row, slices_.complete(row, name, at.slice(), event.value), true);
}

void TableBuilder::instant(const At& at) {
  const uint32_t row = tracks_.instant_row(at.event.track, at.event.name);
  if (row == kNone) return;
  const uint32_t slice = slices_.complete(row, tracks_.name(at.event.track), at.slice(), 0);
  after_slice(at, row, slice, true);
}

void TableBuilder::begin_once(const At& at) {
  const uint32_t track = at.event.track;
  // A begin that does not count must not keep the lane after the end either.
  const bool restarts = tracks_.name(track).lanes == Lanes::ByCookie && at.from.is_json() &&
                        tracks_.is_active(track, at.event.name);
  const uint32_t row = restarts ? tracks_.instant_row(track, at.event.name)
                                : tracks_.begin_row(track, at.event.name);
  if (row == kNone) return;
  after_slice(at, row, slices_.begin_once(row, tracks_.name(track), at.slice()), true);
}

void TableBuilder::step(const At& at) {
  const uint32_t row = tracks_.instant_row(at.event.track, {});
  if (row == kNone) return;
  steps_.add(slices_.open_root(row), tracks_.name(at.event.track), at.slice());
}

void TableBuilder::flow(const At& at) {
  const uint32_t row = tracks_.instant_row(at.event.track, at.event.name);
  if (row == kNone) return;
  const TrackName& name = tracks_.name(at.event.track);
  if (at.from.is_json()) {
    FlowExtra extra;
    if (at.event.extra != kNone) extra = at.from.batch.flow_extras[at.event.extra];
    extra.callsite = stacks_.callsite(at.batch, extra.callsite);
    json_flows_.add({&at.event, at.batch, row, extra, at.sequence}, name);
  } else {
    flows_.legacy(row, slices_.top(row), name, at.event);
  }
}

void TableBuilder::after_slice(const At& at, uint32_t track_row, uint32_t slice, bool began) {
  if (at.from.is_json()) json_rows_.slice(at.json(machine(at)), began, track_row, slice);
  if (slice == kNone) return;
  if (began) flows_.slice_began(track_row, slice);
  if (at.event.extra == kNone) return;
  const SliceExtra& extra = at.from.batch.slice_extras[at.event.extra];
  if (extra.flows != kNone)
    flows_.attach(slice, tracks_.name(at.event.track), at.slice(), extra.flows);
  if (extra.stack != kNone)
    slice_stacks_.add(at.batch, at.from.batch.stacks.slice_stacks[extra.stack], slice, track_row,
                      at.from.is_json());
}

void TableBuilder::log_spill(const At& at, uint32_t around) {
  const StatId stat = stats::slice_spill_overlapping_complete_event;
  const TrackName& where = tracks_.name(at.event.track);
  if (!problems_.count_logged(stat, where.machine, where.file)) return;
  const SliceTable& slices = store_.slices;
  const StringId around_name = slices_.labels().name[around];
  const int64_t around_end = end_of(slices.ts[around], slices.dur[around]);
  ArgsBuilder& args = args_.open();
  args.add_int("overlap_start", at.event.ts);
  args.add_int("overlap_end", around_end);
  if (around_name) args.add_text("conflicting_slice_name", around_name);
  args.add_int("conflicting_slice_ts", slices.ts[around]);
  args.add_int("conflicting_slice_dur", slices.dur[around]);
  if (at.event.name) args.add_text("event_name", at.event.name);
  args.add_text("event_phase", store_.strings.intern("X"));
  problems_.log({stat, where.file, at.event.ts, args.close()});
}

void TableBuilder::process(const At& at) {
  constexpr int64_t kUsersStep = 100'000;  // of Android: uid = user * this + app
  const Event& event = at.event;
  if (event.what() == EventKind::ProcessStart && event.value == 1)
    return identity_.start_process(event.track, event.name, event.ts);
  if (event.what() == EventKind::ProcessStart) {
    starts_.try_emplace(event.track, event.ts);
    return;
  }
  if (event.what() == EventKind::ProcessParent)
    identity_.set_parent(event.track, static_cast<uint32_t>(event.value), at.from.file);
  const uint32_t upid = identity_.process(event.track);
  if (upid == kNone) return;
  apply_start(event.track, upid);
  ProcessTable& table = store_.processes;
  switch (event.what()) {
    case EventKind::ProcessName:
      identity_.name_process(upid, event.name, event.value);
      break;
    case EventKind::ProcessCmdline:
      table.cmdline.at(upid) = event.name;
      break;
    case EventKind::ProcessUid:
      table.uid.at(upid).value = event.value;
      table.android_appid.at(upid).value = event.value % kUsersStep;
      table.android_user_id.at(upid).value = event.value / kUsersStep;
      break;
    case EventKind::ProcessArgs:
      args_.hold(at.args());
      process_args_.add(upid, at.args());
      break;
    default:
      break;
  }
}

// A process started before anybody saw it: its start waits for the first event that names it, so
// that rows are in the order of what was seen.
void TableBuilder::apply_start(uint32_t process_name, uint32_t upid) {
  if (starts_.empty()) return;
  const auto at = starts_.find(process_name);
  if (at == starts_.end()) return;
  set_start(upid, at->second);
  starts_.erase(at);
}

void TableBuilder::set_start(uint32_t upid, int64_t ts) {
  if (OptInt& start = store_.processes.start_ts.at(upid); start.value == OptInt::kNull)
    start.value = ts;
}

void TableBuilder::thread(const At& at) {
  const Event& event = at.event;
  if (event.what() == EventKind::ThreadStart) return identity_.start_thread(event.track, event.ts);
  if (event.what() == EventKind::ThreadEnd) {
    if (event.value == 0) return identity_.end_thread(event.track, event.ts);
    return identity_.note_end(event.track, event.ts);
  }
  const uint32_t utid = identity_.thread(event.track);
  if (event.what() == EventKind::ThreadName) identity_.name_thread(utid, event.name, event.value);
  if (event.what() == EventKind::TaskRename) identity_.rename_task(utid, event.name, event.value);
  if (event.what() != EventKind::ThreadArgs) return;
  args_.hold(at.args());
  thread_args_.add(utid, at.args());
}

void TableBuilder::new_task(const At& at) {
  const uint32_t parent = identity_.thread(at.event.track);
  const uint32_t utid = identity_.new_task(at.event);
  if (utid != kNone)
    thread_states_.start(utid, at.event.ts, {.waker_utid = parent, .irq_context = 0});
}

void TableBuilder::ftrace(const At& at) {
  const bool is_of_cpu = at.event.track != kNone;
  if (is_of_cpu && !cpus_.note(machine(at), at.event.track)) return;
  if (!is_of_cpu && at.event.what() != EventKind::FtraceMeaning) return;
  const uint32_t utid = identity_.thread_of(machine(at), at.event.value);
  if (at.event.what() != EventKind::FtraceMeaning) {
    const bool has_array = at.event.name == kernel_.call_event();
    const uint32_t flags = at.event.extra == kNone ? 0 : at.event.extra;
    const uint32_t ucpu = ucpu_of(machine(at), at.event.track);
    args_.add_row({at.event.ts, at.event.name, utid, flags, ucpu}, at.args(), has_array);
  }
  if (at.event.what() != EventKind::FtraceRow) kernel_.apply(at.event, at.batch, machine(at), utid);
}

AssembleReport TableBuilder::finish(Workers& workers) {
  for (const auto& [name, ts] : std::exchange(starts_, {}))
    if (const uint32_t upid = identity_.process(name); upid != kNone) set_start(upid, ts);
  kernel_.finish();
  thread_states_.finish();
  args_.finish_rows();
  for (const AsyncSteps::Made& made : steps_.make_slices(slices_))
    json_rows_.step(made.slice, made.parent, made.batch, made.extra);
  slices_.finish_rows();
  json_flows_.bind(tracks_);
  const std::vector<uint32_t> new_rows = slices_.finish(workers);
  args_.resolve_placeholders(store_.counters.arg_set_id);
  if (!new_rows.empty()) {
    for (size_t i = 0; i < store_.flows.rows(); ++i) {
      const uint32_t out = store_.flows.slice_out[i], in = store_.flows.slice_in[i];
      store_.flows.slice_out.at(i) = new_rows[out];
      store_.flows.slice_in.at(i) = new_rows[in];
    }
    slice_stacks_.move_slices(new_rows);
  }
  json_rows_.finish(new_rows, json_flows_.linkable_ids());
  causality_.fill(new_rows, store_);
  process_args_.fill(args_, store_.processes.arg_set_id);
  thread_args_.fill(args_, store_.threads.arg_set_id);
  cpus_.fill(batches_, args_, store_);
  stacks_.finish();
  deobfuscate(batches_, store_);
  find_bounds(store_);
  json_rows_.finish_annotations();
  return std::move(problems_).finish();
}

// Gives events to the builder, and frees what is behind it.
struct Visitor {
  TableBuilder& builder;
  std::vector<PlacedBatch>& batches;
  std::vector<size_t>& left;  // by batch
  const Progress* progress;

  void operator()(const Event& event, uint32_t batch, uint64_t sequence) const {
    if (is_cancelled()) return;
    builder.add(event, batch, sequence);
    done(batch, 1);
  }
  void operator()(std::span<const SchedRecord> records, uint32_t batch) const {
    if (is_cancelled()) return;
    builder.add(records, batch);
    done(batch, records.size());
  }

 private:
  bool is_cancelled() const { return progress != nullptr && progress->cancelled(); }
  void done(uint32_t batch, size_t events) const {
    if ((left[batch] -= events) > 0) return;
    EventBatch& from = batches[batch].batch;
    from.streams = {};
    from.sched = {};
    builder.end_of_batch(batch);
  }
};

}  // namespace

AssembleReport assemble_tables(const Names& names, std::vector<PlacedBatch>& batches,
                               std::span<const Run> runs, Workers& workers, Store& store,
                               const AssembleOptions& options) {
  std::vector<size_t> left(batches.size());  // events that are still needed
  for (const Run& run : runs) left[run.batch] += run.size();

  TableBuilder builder(names, batches, options, store);
  for (uint32_t i = 0; i < batches.size(); ++i) {
    for (const Event& event : batches[i].batch.untimed) builder.add(event, i, 0);
    batches[i].batch.untimed = {};
  }
  for_each_in_order(names.tracks, batches, runs, workers, builder.queues(),
                    Visitor{builder, batches, left, options.progress});
  return builder.finish(workers);
}

}  // namespace tracebraid
