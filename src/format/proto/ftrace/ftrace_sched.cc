// Events of the scheduler and of tasks (spec proto 5.3, 5.5).
#include "event/emit.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/proto_wire.h"
#include "format/proto/ftrace/ftrace.h"
#include "format/proto/generated/fields.h"
#include "format/proto/names.h"
#include "format/proto/recording/own.h"

namespace tracebraid::proto {

uint32_t FtraceReader::thread(const FtraceEvent& event, int64_t tid) {
  return sink_.thread({.machine = event.packet.machine, .tid = tid});
}

void FtraceReader::apply_switch(const FtraceEvent& at) {
  using Field = field::SchedSwitchFtraceEvent;
  SwitchExtra extra;
  for (Message fields(at.message); fields.next();) {
    switch (fields.number()) {
      case Field::kPrevComm:
        extra.prev_comm = sink_.string(fields.bytes());
        break;
      case Field::kPrevPid:
        extra.prev_tid = fields.i32();
        break;
      case Field::kPrevPrio:
        extra.prev_prio = fields.i32();
        break;
      case Field::kPrevState:
        extra.prev_state = fields.i64();
        break;
      case Field::kNextComm:
        extra.next_comm = sink_.string(fields.bytes());
        break;
      case Field::kNextPid:
        extra.next_tid = fields.i32();
        break;
      case Field::kNextPrio:
        extra.next_prio = fields.i32();
        break;
      case own::kField:
        extra.prev_state_text = sink_.string(fields.bytes());
        break;
      default:
        break;
    }
  }
  emit_switch(sink_, at.time, at.cpu, 0, extra, at.rank());
}

void FtraceReader::apply_waking(const FtraceEvent& at) {
  using Field = field::SchedWakingFtraceEvent;
  WakingExtra extra{.waker_tid = at.tid};
  int64_t tid = 0;
  StringId comm;
  for (Message fields(at.message); fields.next();) {
    if (fields.number() == Field::kComm) comm = sink_.string(fields.bytes());
    if (fields.number() == Field::kPid) tid = fields.i32();
    if (fields.number() == Field::kPrio) extra.prio = fields.i32();
    if (fields.number() == Field::kTargetCpu) extra.target_cpu = fields.i32();
    if (fields.number() == own::kField) extra.irq_context = fields.flag() ? 1 : 0;
  }
  emit_waking(sink_, at.time, at.cpu, tid, comm, extra, at.rank());
}

void FtraceReader::apply_blocked(const FtraceEvent& at) {
  using Field = field::SchedBlockedReasonFtraceEvent;
  BlockedExtra extra;
  int64_t tid = 0;
  for (Message fields(at.message); fields.next();) {
    if (fields.number() == Field::kPid) tid = fields.i32();
    if (fields.number() == Field::kIoWait) extra.io_wait = fields.flag() ? 1 : 0;
    if (fields.number() == Field::kCaller) {
      const StringId* symbol =
          at.packet.sequence->find(&InternedData::kernel_symbols, fields.u64());
      if (symbol != nullptr) extra.function = *symbol;
    }
  }
  emit_blocked(sink_, at.time, at.cpu, tid, extra, at.rank());
}

void FtraceReader::apply_new_task(const FtraceEvent& at) {
  using Field = field::TaskNewtaskFtraceEvent;
  constexpr uint64_t kCloneThread = 0x10000;
  const uint32_t parent = thread(at, at.tid);
  int64_t tid = 0;
  StringId comm;
  bool is_thread = false;
  for (Message fields(at.message); fields.next();) {
    if (fields.number() == Field::kPid) tid = fields.i32();
    if (fields.number() == Field::kComm) comm = sink_.string(fields.bytes());
    if (fields.number() == Field::kCloneFlags) is_thread = (fields.u64() & kCloneThread) != 0;
  }
  if (tid != 0) sink_.event(make_new_task(at.time, parent, tid, comm, is_thread), at.rank());
}

void FtraceReader::apply_rename(const FtraceEvent& at) {
  using Field = field::TaskRenameFtraceEvent;
  int64_t tid = 0;
  StringId name;
  for (Message fields(at.message); fields.next();) {
    if (fields.number() == Field::kPid) tid = fields.i32();
    if (fields.number() == Field::kNewcomm) name = sink_.string(fields.bytes());
  }
  sink_.event(make_task_rename(at.time, thread(at, tid), name, thread_priority::kFtrace),
              at.rank());
}

void FtraceReader::apply_process_free(const FtraceEvent& at) {
  for (Message fields(at.message); fields.next();)
    if (fields.number() == field::SchedProcessFreeFtraceEvent::kPid)
      sink_.event(make_thread_end(at.time, thread(at, fields.i32())), at.rank());
}

}  // namespace tracebraid::proto
