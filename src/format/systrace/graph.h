// Calls of kernel functions that the tracer function_graph wrote, as slices of their threads
// (spec json 10.2).
#pragma once

#include "format/systrace/chunk.h"
#include "format/systrace/graph_line.h"

namespace tracebraid::systrace {

void read_graph_line(const GraphLine& line, Chunk& chunk);

}  // namespace tracebraid::systrace
