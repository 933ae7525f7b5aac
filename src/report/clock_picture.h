// The clock graph as a picture.
#pragma once

#include <string>

#include "tables/store.h"

namespace tracebraid {

// For Graphviz. Edges on the way of some clock to the timeline are bold and point along
// it; a guess is dotted, a meeting by wall clock dashed.
std::string clock_graph_dot(const Store& store);

// The same, laid out: the timeline on the left, and a column for each further step to it;
// clocks without a way to it come last.
std::string clock_graph_svg(const Store& store);

}  // namespace tracebraid
