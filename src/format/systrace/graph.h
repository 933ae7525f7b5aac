// Calls of kernel functions that the tracer function_graph wrote, as slices of their threads
// (spec json 10.2); of its own text, and of trace-cmd's lines.
#pragma once

#include "format/systrace/graph_line.h"
#include "format/systrace/piece.h"

namespace tracebraid::systrace {

void read_graph_line(const GraphLine& line, Piece& piece);

}  // namespace tracebraid::systrace
