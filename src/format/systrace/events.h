// From a line's event to what it says.
#pragma once

#include "format/systrace/piece.h"

namespace tracebraid::systrace {

// Any event: its row of ftrace_event, and what it means (spec json 10.4).
void read_event(const Line& line, Piece& piece);

// Of the scheduler. False if a field is missing or makes no sense: then only the row is kept.
bool read_switch(const Line& line, Piece& piece);
bool read_waking(const Line& line, Piece& piece);
// Either, as tracers of wakeups write them.
bool read_task_change(const Line& line, Piece& piece);
bool read_blocked(const Line& line, Piece& piece);

// Of one system call, "sys_read(fd: 3)". False if it is none.
bool read_call(const Line& line, Piece& piece);

// What userspace wrote (spec json 10.5). False if it is no mark.
bool read_mark(const Line& line, Piece& piece);

}  // namespace tracebraid::systrace
