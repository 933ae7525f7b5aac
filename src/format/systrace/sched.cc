// Events of the scheduler.
#include "format/common/sched_text.h"
#include "format/systrace/events.h"

namespace tracebraid::systrace {
namespace {

SchedLine sched_line(const Line& line, Piece& piece) {
  return {.time = piece.time(line),
          .cpu = line.cpu,
          .tid = line.tid,
          .adds_row = piece.form().keep_raw,
          .offset = piece.offset()};
}

}  // namespace

bool read_switch(const Line& line, Piece& piece) {
  SwitchText found;
  if (!parse_switch(line.details, found)) return false;
  piece.note_name(line, found.next_tid, found.next_comm, false);
  piece.note_name(line, found.prev_tid, found.prev_comm, false);
  state_switch(sched_line(line, piece), found, piece.sink());
  return true;
}

bool read_waking(const Line& line, Piece& piece) {
  WakingText found;
  if (!parse_waking(line.details, found)) return false;
  if (found.success != 0) piece.note_name(line, found.tid, found.comm, false);
  state_waking(sched_line(line, piece), line.name, found, piece.sink());
  return true;
}

bool read_task_change(const Line& line, Piece& piece) {
  TaskChange found;
  if (!parse_task_change(line.details, found)) return false;
  SwitchText& tasks = found.tasks;
  if (tasks.prev_tid == line.tid) tasks.prev_comm = line.task;
  piece.note_name(line, tasks.next_tid, tasks.next_comm, false);
  if (found.is_switch) {
    state_switch(sched_line(line, piece), tasks, piece.sink());
    return true;
  }
  const WakingText waking{.comm = tasks.next_comm,
                          .tid = tasks.next_tid,
                          .prio = tasks.next_prio,
                          .target_cpu = found.cpu};
  SchedLine at = sched_line(line, piece);
  at.tid = tasks.prev_tid;
  state_waking(at, "sched_wakeup", waking, piece.sink());
  return true;
}

bool read_blocked(const Line& line, Piece& piece) {
  return state_blocked(sched_line(line, piece), line.details, piece.sink());
}

}  // namespace tracebraid::systrace
