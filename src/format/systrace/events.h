// Reads the event of a line.
#pragma once

#include "format/systrace/chunk.h"

namespace tracebraid::systrace {

// Emits the row of ftrace_event and the meaning of any event (spec json 10.4).
void read_event(const Line& line, Chunk& chunk);

// Reads a mark of userspace (spec json 10.5). Returns false if the text is no mark.
bool read_mark(const Line& line, Chunk& chunk);

}  // namespace tracebraid::systrace
