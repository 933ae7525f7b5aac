// Events of the scheduler.
#include "kernel/text/sched.h"
#include "kernel/text/topics.h"

namespace tracebraid::kernel_text {
namespace {

SchedLine sched_line(const Line& line, Context& context) {
  return {.time = context.time(line),
          .cpu = line.cpu,
          .tid = line.tid,
          .adds_row = context.keep_raw(),
          .offset = context.offset()};
}

}  // namespace

bool read_switch(const Line& line, Context& context) {
  SwitchText found;
  if (!parse_switch(line.details, found)) return false;
  context.note_name(line, found.next_tid, found.next_comm, false);
  context.note_name(line, found.prev_tid, found.prev_comm, false);
  emit_switch(sched_line(line, context), found, context.sink());
  return true;
}

bool read_waking(const Line& line, Context& context) {
  WakingText found;
  if (!parse_waking(line.details, found)) return false;
  if (found.success != 0) context.note_name(line, found.tid, found.comm, false);
  emit_waking(sched_line(line, context), line.name, found, context.sink());
  return true;
}

bool read_task_change(const Line& line, Context& context) {
  TaskChange found;
  if (!parse_task_change(line.details, found)) return false;
  SwitchText& tasks = found.tasks;
  if (tasks.prev_tid == line.tid) tasks.prev_comm = line.task;
  context.note_name(line, tasks.next_tid, tasks.next_comm, false);
  if (found.is_switch) {
    emit_switch(sched_line(line, context), tasks, context.sink());
    return true;
  }
  const WakingText waking{.comm = tasks.next_comm,
                          .tid = tasks.next_tid,
                          .prio = tasks.next_prio,
                          .target_cpu = found.cpu};
  SchedLine at = sched_line(line, context);
  at.tid = tasks.prev_tid;
  emit_waking(at, "sched_wakeup", waking, context.sink());
  return true;
}

bool read_blocked(const Line& line, Context& context) {
  return emit_blocked(sched_line(line, context), line.details, context.sink());
}

}  // namespace tracebraid::kernel_text
