// Interprets the events of lines.
#pragma once

#include "format/systrace/piece.h"

namespace tracebraid::systrace {

// Handles any event: emits its row of ftrace_event, and its meaning (spec json 10.4).
void read_event(const Line& line, Piece& piece);

// Handles scheduler events. Returns false if a field is missing or invalid: then only the row is
// emitted.
bool read_switch(const Line& line, Piece& piece);
bool read_waking(const Line& line, Piece& piece);
// Handles a switch or a waking in the form of wakeup tracers.
bool read_task_change(const Line& line, Piece& piece);
bool read_blocked(const Line& line, Piece& piece);

// Handles an event of one system call, "sys_read(fd: 3)". Returns false for other text.
bool read_call(const Line& line, Piece& piece);

// Handles a mark of userspace (spec json 10.5). Returns false for other text.
bool read_mark(const Line& line, Piece& piece);

}  // namespace tracebraid::systrace
