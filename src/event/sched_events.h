// The events that SchedRecords represent.
#pragma once

#include "event/batch.h"
#include "event/event_kind.h"

namespace tracebraid {

inline Event sched_event(const SchedTask& task, const SchedFact& fact, int64_t ts) {
  const bool is_switch = !fact.is_waking;
  const CompactWaking waking{task.tid, static_cast<uint32_t>(fact.value)};
  const int32_t args = is_switch ? task.tid : task.prio;
  return {.ts = ts,
          .value = is_switch ? fact.value : waking.pack(),
          .track = fact.cpu,
          .name = task.comm,
          .category = {},
          .args = static_cast<uint32_t>(args),
          .extra = is_switch ? static_cast<uint32_t>(task.prio) : fact.target_cpu,
          .clock = fact.clock & kMaxClocks,
          .kind = static_cast<uint32_t>(is_switch ? EventKind::SchedSwitchCompact
                                                  : EventKind::SchedWakingCompact)};
}

inline Event sched_event(const EventBatch& batch, const SchedRecord& record) {
  return sched_event(batch.sched_tasks[record.task], batch.sched_facts[record.fact], record.ts);
}

// Visits all events of a stream, including compact ones. The Event is valid during the visit only.
template <class Visit>
void for_each_event(const EventBatch& batch, const Stream& stream, Visit visit) {
  for (const Event& event : stream.events) visit(event);
  for (const SchedRecord& record : stream.sched) visit(sched_event(batch, record));
}

}  // namespace tracebraid
