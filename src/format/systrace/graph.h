// Calls of kernel functions, written by the tracer function_graph, as slices of their threads (spec
// json 10.2), from its own text and from trace-cmd's lines.
#pragma once

#include "format/systrace/graph_line.h"
#include "format/systrace/piece.h"

namespace tracebraid::systrace {

void read_graph_line(const GraphLine& line, Piece& piece);

}  // namespace tracebraid::systrace
