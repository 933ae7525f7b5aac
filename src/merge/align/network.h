// Network: the offsets of many clocks that pairs of them bound (spec alignment 6). Pure functions;
// networks.h applies them to match sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracebraid::align {

// What relates two nodes: at each moment the offset of `b` minus that of `a` lies within `bound` of
// `apart`, ns.
struct NetworkEdge {
  uint32_t a = 0, b = 0;
  std::vector<double> apart, bound;  // by moment; bounds are greater than 0
};

struct NetworkSolution {
  // By moment and node, ns: the offset to node 0, which is 0 at each moment, and its bound, which
  // is never larger than that of the best path to node 0.
  std::vector<std::vector<double>> offsets, bounds;
  std::vector<bool> is_contradicted;  // by edge; these are left out
  // By edge: the sum of the offsets around the loop of the edge with the smallest bound at the
  // middle moment, and that bound. For contradicted edges of the loop through the others. NaN
  // without a loop.
  std::vector<double> loop_residuals, loop_bounds;
  // More than a tenth of the edges would have to be left out. Then there are no offsets.
  bool has_too_many = false;
};

// Least squares, weighted by 1 / bound^2, within the bands that the edges allow. The edges around a
// loop contradict each other if their offsets sum up to more than their bounds at any moment; then
// the one that fits the others worst is left out. Requires: the edges connect all nodes, all have
// the same number of moments, which is at least 1.
NetworkSolution solve_network(size_t nodes, std::span<const NetworkEdge> edges);

}  // namespace tracebraid::align
