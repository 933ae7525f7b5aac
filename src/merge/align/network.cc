#include "merge/align/network.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

namespace tracebraid::align {
namespace {

constexpr double kMostContradicted = 0.1;  // of the edges
constexpr double kNearlyWorst = 0.5;       // of the largest misfit, of edges left out at once
constexpr double kStillNs = 0.5;           // steps of the solution that no longer matter
constexpr int kSolverSteps = 256;
constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr double kNoLoop = std::numeric_limits<double>::quiet_NaN();
constexpr uint32_t kNoEdge = ~uint32_t{0};

// A tree of paths from node 0.
struct PathTree {
  std::vector<double> length;    // kFar: not reached
  std::vector<uint32_t> parent;  // edge; kNoEdge for node 0
  std::vector<uint32_t> depth;   // edges
};

class NetworkSolver {
 public:
  NetworkSolver(size_t nodes, std::span<const NetworkEdge> edges)
      : nodes_(nodes), edges_(edges), at_node_(nodes), moments_(edges.front().apart.size()) {
    for (uint32_t i = 0; i < edges.size(); ++i) {
      at_node_[edges[i].a].push_back(i);
      at_node_[edges[i].b].push_back(i);
    }
    found_.is_contradicted.assign(edges.size(), false);
    found_.loop_residuals.assign(edges.size(), kNoLoop);
    found_.loop_bounds.assign(edges.size(), kNoLoop);
  }

  NetworkSolution solve() && {
    leave_out_contradicted();
    if (found_.has_too_many) return std::move(found_);
    for (size_t moment = 0; moment < moments_; ++moment) solve_at(moment);
    return std::move(found_);
  }

 private:
  struct Loop {
    uint32_t edge;
    double residual, bound;
    bool is_broken() const { return std::abs(residual) > bound; }
  };

  bool is_used(uint32_t edge) const { return !found_.is_contradicted[edge]; }
  uint32_t other(uint32_t edge, uint32_t node) const {
    return edges_[edge].a == node ? edges_[edge].b : edges_[edge].a;
  }
  // How far the offset rises when the edge is followed from `node`.
  double rise(uint32_t edge, uint32_t node, size_t moment) const {
    const double apart = edges_[edge].apart[moment];
    return edges_[edge].a == node ? apart : -apart;
  }

  // Dijkstra's algorithm. length_of(edge, from node) is not negative.
  template <class LengthOf>
  PathTree shortest_paths(LengthOf length_of) const {
    using Entry = std::tuple<double, uint32_t>;
    PathTree tree{std::vector<double>(nodes_, kFar), std::vector<uint32_t>(nodes_, kNoEdge),
                  std::vector<uint32_t>(nodes_)};
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> waiting;
    tree.length[0] = 0;
    waiting.emplace(0.0, 0);
    while (!waiting.empty()) {
      const auto [length, node] = waiting.top();
      waiting.pop();
      if (length > tree.length[node]) continue;
      for (const uint32_t edge : at_node_[node]) {
        if (!is_used(edge)) continue;
        const uint32_t next = other(edge, node);
        const double beyond = length + length_of(edge, node);
        if (beyond >= tree.length[next]) continue;
        tree.length[next] = beyond;
        tree.parent[next] = edge;
        tree.depth[next] = tree.depth[node] + 1;
        waiting.emplace(beyond, next);
      }
    }
    return tree;
  }

  PathTree best_paths(size_t moment) const {
    return shortest_paths([&](uint32_t edge, uint32_t) { return edges_[edge].bound[moment]; });
  }

  // Calls use(edge, node that is farther from node 0) for the edges of the tree on the path from
  // the one end of an edge to the other.
  template <class Use>
  void follow_path(const PathTree& tree, uint32_t edge, Use use) const {
    uint32_t a = edges_[edge].a, b = edges_[edge].b;
    while (a != b) {
      uint32_t& deeper = tree.depth[a] >= tree.depth[b] ? a : b;
      const uint32_t parent = tree.parent[deeper];
      use(parent, deeper);
      deeper = other(parent, deeper);
    }
  }

  // Returns the offsets of all nodes along the tree.
  std::vector<double> offsets_along(const PathTree& tree, size_t moment) const {
    std::vector<uint32_t> order(nodes_);
    for (uint32_t i = 0; i < nodes_; ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](uint32_t node) { return std::pair(tree.depth[node], node); });
    std::vector<double> offsets(nodes_);
    for (const uint32_t node : order) {
      const uint32_t edge = tree.parent[node];
      if (edge == kNoEdge) continue;
      const uint32_t nearer = other(edge, node);
      offsets[node] = offsets[nearer] + rise(edge, nearer, moment);
    }
    return offsets;
  }

  Loop loop_of(uint32_t edge, const PathTree& tree, std::span<const double> offsets,
               size_t moment) const {
    const NetworkEdge& e = edges_[edge];
    Loop loop{edge, e.apart[moment] - (offsets[e.b] - offsets[e.a]), e.bound[moment]};
    follow_path(tree, edge,
                [&](uint32_t of_path, uint32_t) { loop.bound += edges_[of_path].bound[moment]; });
    return loop;
  }

  // Leaves edges out until no loop is broken.
  void leave_out_contradicted() {
    const auto most = static_cast<size_t>(kMostContradicted * static_cast<double>(edges_.size()));
    for (size_t left_out = 0;;) {
      const PathTree tree = best_paths(moments_ / 2);
      std::vector<Loop> broken;  // at the moment with most
      size_t at = 0;
      for (size_t moment = 0; moment < moments_; ++moment) {
        const std::vector<double> offsets = offsets_along(tree, moment);
        std::vector<Loop> here;
        for (uint32_t edge = 0; edge < edges_.size(); ++edge) {
          if (!is_used(edge) || is_of(tree, edge)) continue;
          const Loop loop = loop_of(edge, tree, offsets, moment);
          if (loop.is_broken()) here.push_back(loop);
        }
        if (here.size() <= broken.size()) continue;
        broken = std::move(here);
        at = moment;
      }
      if (broken.empty()) return note_loops(tree);
      const std::vector<uint32_t> worst = worst_of(broken, tree, at);
      left_out += worst.size();
      if (left_out > most) {
        found_.has_too_many = true;
        found_.is_contradicted.assign(edges_.size(), false);
        return;
      }
      leave_out(worst);
    }
  }

  bool is_of(const PathTree& tree, uint32_t edge) const {
    return tree.parent[edges_[edge].a] == edge || tree.parent[edges_[edge].b] == edge;
  }

  // Returns the edges of the broken loops that fit all others nearly as badly as the worst one, and
  // worse than their neighbours do, the worst first.
  std::vector<uint32_t> worst_of(std::span<const Loop> broken, const PathTree& tree,
                                 size_t moment) const {
    const std::vector<double> offsets = least_squares(moment, offsets_along(tree, moment));
    const auto misfit = [&](uint32_t edge) {
      const NetworkEdge& e = edges_[edge];
      return std::abs(e.apart[moment] - (offsets[e.b] - offsets[e.a])) / e.bound[moment];
    };
    std::vector<bool> is_suspect(edges_.size());
    for (const Loop& loop : broken) {
      is_suspect[loop.edge] = true;
      follow_path(tree, loop.edge, [&](uint32_t edge, uint32_t) { is_suspect[edge] = true; });
    }
    std::vector<std::pair<double, uint32_t>> suspects;
    for (uint32_t edge = 0; edge < edges_.size(); ++edge)
      if (is_suspect[edge]) suspects.emplace_back(-misfit(edge), edge);
    std::ranges::sort(suspects);
    std::vector<bool> has_worse(nodes_);
    std::vector<uint32_t> worst;
    for (const auto& [negative, edge] : suspects) {
      const NetworkEdge& e = edges_[edge];
      if (negative > kNearlyWorst * suspects.front().first) break;
      if (!has_worse[e.a] && !has_worse[e.b]) worst.push_back(edge);
      has_worse[e.a] = has_worse[e.b] = true;
    }
    return worst;
  }

  // Leaves out all edges if the others connect the nodes, else only the first one, which is part of
  // a loop.
  void leave_out(std::span<const uint32_t> worst) {
    for (const uint32_t edge : worst) found_.is_contradicted[edge] = true;
    const PathTree tree = best_paths(moments_ / 2);
    if (std::ranges::find(tree.length, kFar) == tree.length.end()) return;
    for (const uint32_t edge : worst.subspan(1)) found_.is_contradicted[edge] = false;
  }

  // Sets the loops of all edges.
  void note_loops(const PathTree& tree) {
    const size_t moment = moments_ / 2;
    const std::vector<double> offsets = offsets_along(tree, moment);
    const auto note = [&](uint32_t edge, const Loop& loop) {
      double& bound = found_.loop_bounds[edge];
      if (!std::isnan(bound) && bound <= loop.bound) return;
      bound = loop.bound;
      found_.loop_residuals[edge] = loop.residual;
    };
    for (uint32_t edge = 0; edge < edges_.size(); ++edge) {
      if (is_of(tree, edge)) continue;
      const Loop loop = loop_of(edge, tree, offsets, moment);
      note(edge, loop);
      if (!is_used(edge)) continue;
      follow_path(tree, edge, [&](uint32_t of_path, uint32_t) { note(of_path, loop); });
    }
  }

  // Conjugate gradients, preconditioned by the diagonal, from the offsets of a tree. Node 0 stays.
  std::vector<double> least_squares(size_t moment, std::vector<double> offsets) const {
    std::vector<double> weights(edges_.size()), diagonal(nodes_, 0.0);
    for (uint32_t i = 0; i < edges_.size(); ++i) {
      if (!is_used(i)) continue;
      weights[i] = 1 / (edges_[i].bound[moment] * edges_[i].bound[moment]);
      diagonal[edges_[i].a] += weights[i];
      diagonal[edges_[i].b] += weights[i];
    }
    std::vector<double> rest(nodes_, 0.0), scaled(nodes_), way, spread(nodes_);
    for (uint32_t i = 0; i < edges_.size(); ++i) {
      const NetworkEdge& e = edges_[i];
      const double pull = weights[i] * (e.apart[moment] - (offsets[e.b] - offsets[e.a]));
      rest[e.b] += pull;
      rest[e.a] -= pull;
    }
    double product = precondition(rest, diagonal, scaled);
    way = scaled;
    for (int step = 0; step < kSolverSteps && product > 0; ++step) {
      std::ranges::fill(spread, 0.0);
      for (uint32_t i = 0; i < edges_.size(); ++i) {
        const NetworkEdge& e = edges_[i];
        const double flow = weights[i] * (way[e.b] - way[e.a]);
        spread[e.b] += flow;
        spread[e.a] -= flow;
      }
      double curvature = 0, largest = 0;
      for (size_t i = 1; i < nodes_; ++i) curvature += way[i] * spread[i];
      if (curvature <= 0) break;
      const double length = product / curvature;
      for (size_t i = 1; i < nodes_; ++i) {
        offsets[i] += length * way[i];
        rest[i] -= length * spread[i];
        largest = std::max(largest, std::abs(length * way[i]));
      }
      if (largest < kStillNs) break;
      const double before = std::exchange(product, precondition(rest, diagonal, scaled));
      for (size_t i = 1; i < nodes_; ++i) way[i] = scaled[i] + product / before * way[i];
    }
    return offsets;
  }

  // Returns the product of `rest` and `scaled`, which is set.
  static double precondition(std::span<const double> rest, std::span<const double> diagonal,
                             std::span<double> scaled) {
    double product = 0;
    scaled[0] = 0;
    for (size_t i = 1; i < rest.size(); ++i) {
      scaled[i] = rest[i] / diagonal[i];
      product += rest[i] * scaled[i];
    }
    return product;
  }

  void solve_at(size_t moment) {
    const PathTree best = best_paths(moment);
    const std::vector<double> along = offsets_along(best, moment);
    const std::vector<double> solved = least_squares(moment, along);
    // How far an edge allows its farther end to rise or to fall against the solution. An edge that
    // excludes the solution counts as if it were at its limit, which loosens the band.
    const auto room = [&](uint32_t edge, uint32_t from, double sign) {
      const double apart = rise(edge, from, moment);
      const double off = apart - (solved[other(edge, from)] - solved[from]);
      return std::max(0.0, edges_[edge].bound[moment] + sign * off);
    };
    const PathTree above =
        shortest_paths([&](uint32_t edge, uint32_t from) { return room(edge, from, 1); });
    const PathTree below =
        shortest_paths([&](uint32_t edge, uint32_t from) { return room(edge, from, -1); });
    std::vector<double>& offsets = found_.offsets.emplace_back(nodes_, 0.0);
    std::vector<double>& bounds = found_.bounds.emplace_back(nodes_, 0.0);
    for (size_t i = 1; i < nodes_; ++i) {
      const double most = best.length[i];
      const double low = std::max(solved[i] - below.length[i], along[i] - most);
      const double high = std::min(solved[i] + above.length[i], along[i] + most);
      if (low > high) {
        offsets[i] = along[i];
        bounds[i] = most;
        continue;
      }
      offsets[i] = std::clamp(solved[i], std::max(low, high - most), std::min(high, low + most));
      bounds[i] = std::max(offsets[i] - low, high - offsets[i]);
    }
  }

  size_t nodes_;
  std::span<const NetworkEdge> edges_;
  std::vector<std::vector<uint32_t>> at_node_;  // edges of each node
  size_t moments_;
  NetworkSolution found_;
};

}  // namespace

NetworkSolution solve_network(size_t nodes, std::span<const NetworkEdge> edges) {
  return NetworkSolver(nodes, edges).solve();
}

}  // namespace tracebraid::align
