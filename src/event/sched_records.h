// From SchedRecords to the events that they stand for.
#pragma once

#include "event/batch.h"

namespace tracebraid {

inline Event sched_event(const EventBatch& batch, const SchedRecord& record) {
  const SchedTask& task = batch.sched_tasks[record.task];
  const SchedFact& fact = batch.sched_facts[record.fact];
  const bool is_switch = fact.kind == EventKind::SchedSwitchCompact;
  const CompactWaking waking{task.tid, static_cast<uint32_t>(fact.value)};
  const int32_t args = is_switch ? task.tid : task.prio;
  return {.ts = record.ts,
          .value = is_switch ? fact.value : waking.pack(),
          .track = fact.cpu,
          .name = task.comm,
          .category = {},
          .args = static_cast<uint32_t>(args),
          .extra = is_switch ? static_cast<uint32_t>(task.prio) : fact.target_cpu,
          .clock = fact.clock & kMaxClocks,
          .kind = static_cast<uint32_t>(fact.kind)};
}

// All events of a stream, compact ones too. An Event is valid during the visit.
template <class Visit>
void for_each_event(const EventBatch& batch, const Stream& stream, Visit visit) {
  for (const Event& event : stream.events) visit(event);
  for (const SchedRecord& record : stream.sched) visit(sched_event(batch, record));
}

}  // namespace tracebraid
