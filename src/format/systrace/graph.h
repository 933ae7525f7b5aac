// Calls of kernel functions, written by the tracer function_graph, as slices of their threads (spec
// json 10.2), from its own text and from trace-cmd's lines.
#pragma once

#include "format/systrace/chunk.h"
#include "format/systrace/graph_line.h"

namespace tracebraid::systrace {

void read_graph_line(const GraphLine& line, Chunk& chunk);

}  // namespace tracebraid::systrace
