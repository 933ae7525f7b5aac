#include "assemble/dispatch.h"

#include "event/event_kind.h"

namespace tracebraid {
namespace {

SchedEvent sched_event(const PlacedEvent& at) { return {&at.event, &at.from, at.machine()}; }
SampledEvent sampled_event(const PlacedEvent& at) {
  return {&at.event, &at.from, at.batch, at.machine()};
}
JsonEvent json_event(const PlacedEvent& at) {
  return {at.event, at.from, at.batch, at.machine(), at.sequence};
}

void add_heap_graph(const PlacedEvent& at, const Stages& to) {
  const auto& graphs = at.from.batch.stacks.heap_graphs;
  if (at.event.extra < graphs.size())
    to.heap_graphs.add(at.event.ts, to.identity.process(at.event.track), graphs[at.event.extra]);
}

void add_out_of_memory(const PlacedEvent& at, const Stages& to) {
  const auto& states = at.from.batch.stacks.out_of_memory;
  if (at.event.extra >= states.size()) return;
  const OutOfMemory& state = states[at.event.extra];
  to.heap_graphs.add(at.event.ts, to.identity.process(at.event.track), state,
                     to.identity.thread(state.thread),
                     to.flows.stacks.callsite(at.batch, state.callsite));
}

void add_json_object(const PlacedEvent& at, const Stages& to) {
  if (to.identity.thread(at.event.track) != kNone) to.json_rows.add(json_event(at));
}

void add_json_memory_dump(const PlacedEvent& at, const Stages& to) {
  if (const uint32_t row = to.tracks.instant_row(at.event.track, {}); row != kNone)
    to.json_rows.memory_dump(json_event(at), row);
}

}  // namespace

void dispatch(const PlacedEvent& at, const Stages& to, std::span<PlacedBatch> batches) {
  switch (at.event.what()) {
    case EventKind::SliceBegin:
      return to.slices.begin(at);
    case EventKind::SliceEnd:
      return to.slices.end(at);
    case EventKind::Slice:
      return to.slices.complete(at);
    case EventKind::Instant:
      return to.slices.instant(at);
    case EventKind::SliceBeginOnce:
      return to.slices.begin_once(at);
    case EventKind::AsyncStepBegin:
      return to.slices.step(at);
    case EventKind::FlowStart:
    case EventKind::FlowStep:
    case EventKind::FlowEnd:
    case EventKind::FlowEndHere:
      return to.flows.add(at);
    case EventKind::Counter:
    case EventKind::CounterUntilNow:
    case EventKind::TrackSeen:
    case EventKind::State:
      return to.rows.add_of_track(at);
    case EventKind::ThreadState:
    case EventKind::ChromeRaw:
    case EventKind::UnfinishedComplete:
    case EventKind::MetadataEvent:
      return to.rows.add_of_thread(at);
    case EventKind::Log:
    case EventKind::UnhandledEvent:
      return to.rows.add_of_any(at);
    case EventKind::ProcessSeen:
    case EventKind::ProcessName:
    case EventKind::ProcessParent:
    case EventKind::ProcessCmdline:
    case EventKind::ProcessUid:
    case EventKind::ProcessStart:
    case EventKind::ProcessArgs:
      return to.lives.process(at);
    case EventKind::ThreadSeen:
    case EventKind::ThreadName:
    case EventKind::TaskRename:
    case EventKind::ThreadStart:
    case EventKind::ThreadEnd:
    case EventKind::ThreadArgs:
      return to.lives.thread(at);
    case EventKind::NewTask:
      return to.lives.new_task(at);
    case EventKind::SchedSwitch:
      return to.sched.switch_full(sched_event(at));
    case EventKind::SchedSwitchCompact:
      return to.sched.switch_compact(sched_event(at));
    case EventKind::SchedWaking:
      return to.sched.waking(sched_event(at));
    case EventKind::SchedWakingCompact:
      return to.sched.waking_compact(sched_event(at));
    case EventKind::SchedBlocked:
      return to.sched.blocked(sched_event(at));
    case EventKind::FtraceEvent:
    case EventKind::FtraceMeaning:
    case EventKind::FtraceRow:
      return to.kernel.add(at);
    case EventKind::Row:
      return to.plain_tables.add({at.event, at.batch, at.machine(), at.from.file});
    case EventKind::Sample:
      return to.samples.add(sampled_event(at));
    case EventKind::AggregateSamples:
      return to.samples.add_aggregate(at.batch,
                                      to.plain_tables.numbered_row(at.batch, at.event.value),
                                      batches[at.batch].batch.stacks.aggregate_samples);
    case EventKind::HeapDump:
      return to.samples.add_heap_dump(sampled_event(at));
    case EventKind::HeapGraph:
      return add_heap_graph(at, to);
    case EventKind::OutOfMemory:
      return add_out_of_memory(at, to);
    case EventKind::ObjectNew:
    case EventKind::ObjectSnapshot:
    case EventKind::ObjectDelete:
    case EventKind::ContextEnter:
    case EventKind::ContextLeave:
    case EventKind::LinkedIds:
      return add_json_object(at, to);
    case EventKind::MemoryDump:
      return add_json_memory_dump(at, to);
    case EventKind::MetadataTime:
      return;  // merge uses it
  }
}

}  // namespace tracebraid
