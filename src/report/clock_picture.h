// Pictures of the clock graph.
#pragma once

#include <string>

namespace tracebraid {

struct Store;

// Returns the graph in DOT, for Graphviz. Edges on a path to the timeline are bold and directed;
// guesses are dotted, rendezvous dashed.
std::string clock_graph_dot(const Store& store);

// Returns the graph as SVG: the timeline on the left, one column per hop to it; clocks without a
// path come last.
std::string clock_graph_svg(const Store& store);

}  // namespace tracebraid
