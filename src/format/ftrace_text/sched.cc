// Events of the scheduler.
#include "format/ftrace_text/events.h"
#include "format/sched_text.h"

namespace tracebraid::ftrace_text {
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

bool read_blocked(const Line& line, Piece& piece) {
  return state_blocked(sched_line(line, piece), line.details, piece.sink());
}

}  // namespace tracebraid::ftrace_text
