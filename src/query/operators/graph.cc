#include "query/operators/graph.h"

#include <absl/container/flat_hash_set.h>
#include <algorithm>
#include <deque>
#include <utility>

#include "query/scan/large_vector.h"

namespace tracebraid {

uint32_t Graph::number(uint32_t id) {
  const auto [entry, is_new] = numbers_.try_emplace(id, static_cast<uint32_t>(ids_.size()));
  if (is_new) ids_.push_back(id);
  return entry->second;
}

void Graph::add_edge(uint32_t source, uint32_t target, double weight) {
  sources_.push_back(number(source));
  targets_.push_back(number(target));
  weights_.push_back(weight);
}

bool Graph::finish(const StopCheck& stop) {
  PacedStopCheck check(stop);
  if (!set_size(starts_, ids_.size() + 1, stop)) return false;
  for (const uint32_t source : sources_) {
    if (check.stopped()) return false;
    ++starts_[source + 1];
  }
  for (size_t i = 1; i < starts_.size(); ++i) {
    if (check.stopped()) return false;
    starts_[i] += starts_[i - 1];
  }
  std::vector<size_t> next;
  std::vector<uint32_t> targets;
  std::vector<double> weights;
  if (!copy_values(std::span<const size_t>(starts_).first(ids_.size()), next, stop) ||
      !set_size(targets, targets_.size(), stop) || !set_size(weights, weights_.size(), stop))
    return false;
  for (size_t i = 0; i < sources_.size(); ++i) {
    if (check.stopped()) return false;
    const size_t at = next[sources_[i]]++;
    targets[at] = targets_[i];
    weights[at] = weights_[i];
  }
  targets_ = std::move(targets);
  weights_ = std::move(weights);
  sources_ = {};
  return true;
}

bool reach(const Graph& graph, std::span<const uint32_t> starts, SearchOrder order,
           const StopCheck& stop, std::vector<VisitedNode>& visited) {
  struct Waiting {
    uint32_t node, parent;  // numbers
  };
  PacedStopCheck check(stop);
  std::vector<bool> seen(graph.nodes());
  absl::flat_hash_set<uint32_t> seen_others;  // starts without edges
  std::deque<Waiting> waiting;
  const bool is_depth_first = order == SearchOrder::DepthFirst;
  const auto search = [&] {
    while (!waiting.empty()) {
      if (check.stopped()) return false;
      const Waiting next = is_depth_first ? waiting.back() : waiting.front();
      if (is_depth_first)
        waiting.pop_back();
      else
        waiting.pop_front();
      if (seen[next.node]) continue;
      seen[next.node] = true;
      visited.push_back({graph.id(next.node),
                         next.parent == Graph::kNone ? Graph::kNone : graph.id(next.parent)});
      const auto targets = graph.targets(next.node);
      for (size_t i = 0; i < targets.size(); ++i) {
        if (check.stopped()) return false;
        const uint32_t target = targets[is_depth_first ? targets.size() - 1 - i : i];
        if (!seen[target]) waiting.push_back({target, next.node});
      }
    }
    return true;
  };
  for (const uint32_t start : starts) {
    if (check.stopped()) return false;
    const uint32_t node = graph.node(start);
    if (node == Graph::kNone) {
      if (seen_others.insert(start).second) visited.push_back({start, Graph::kNone});
      continue;
    }
    waiting.push_back({node, Graph::kNone});
    if (is_depth_first && !search()) return false;
  }
  return search();
}

bool reach_by_weight(const Graph& graph, uint32_t start, double limit, WeightLimit kind,
                     const StopCheck& stop, std::vector<VisitedNode>& visited) {
  struct Waiting {
    uint32_t node, parent;
    double weight;
  };
  const uint32_t root = graph.node(start);
  if (root == Graph::kNone) {
    visited.push_back({start, Graph::kNone});
    return true;
  }
  PacedStopCheck check(stop);
  absl::flat_hash_set<uint32_t> seen;
  std::vector<Waiting> waiting = {{root, Graph::kNone, 0}};
  while (!waiting.empty()) {
    if (check.stopped()) return false;
    const Waiting next = waiting.back();
    waiting.pop_back();
    if (!seen.insert(next.node).second) continue;
    visited.push_back(
        {graph.id(next.node), next.parent == Graph::kNone ? Graph::kNone : graph.id(next.parent)});
    if (next.weight > limit) continue;
    const auto targets = graph.targets(next.node);
    const auto weights = graph.weights(next.node);
    for (size_t i = targets.size(); i-- > 0;) {
      if (check.stopped()) return false;
      const double weight = next.weight + weights[i];
      if (kind == WeightLimit::Ceiling && weight > limit) continue;
      if (!seen.contains(targets[i])) waiting.push_back({targets[i], next.node, weight});
    }
  }
  return true;
}

namespace {

// Lengauer and Tarjan's algorithm, with path compression. Nodes are numbered in depth-first
// preorder.
class DominatorSearch {
 public:
  DominatorSearch(const Graph& graph, const StopCheck& stop) : graph_(graph), check_(stop) {}

  std::optional<std::vector<uint32_t>> run(uint32_t root) {
    if (!number_nodes(root)) return std::nullopt;
    const size_t count = nodes_.size();
    semi_.resize(count);
    label_.resize(count);
    ancestor_.assign(count, kNone);
    idom_.assign(count, 0);
    for (uint32_t i = 0; i < count; ++i) semi_[i] = label_[i] = i;
    // The nodes of each semidominator, as lists.
    std::vector<uint32_t> first(count, kNone), next(count, kNone);
    for (auto i = static_cast<uint32_t>(count); i-- > 1;) {
      for (size_t at = starts_[i]; at < starts_[i + 1]; ++at) {
        if (is_stopped()) return std::nullopt;
        semi_[i] = std::min(semi_[i], semi_[least(sources_[at])]);
      }
      next[i] = std::exchange(first[semi_[i]], i);
      ancestor_[i] = parent_[i];
      for (uint32_t of = std::exchange(first[parent_[i]], kNone); of != kNone; of = next[of]) {
        if (is_stopped()) return std::nullopt;
        const uint32_t u = least(of);
        idom_[of] = semi_[u] < semi_[of] ? u : parent_[i];
      }
    }
    std::vector<uint32_t> found(graph_.nodes(), kNone);
    for (uint32_t i = 1; i < count; ++i) {
      if (is_stopped()) return std::nullopt;
      if (idom_[i] != semi_[i]) idom_[i] = idom_[idom_[i]];
      found[nodes_[i]] = nodes_[idom_[i]];
    }
    return found;
  }

 private:
  static constexpr uint32_t kNone = Graph::kNone;

  bool is_stopped() { return was_stopped_ || check_.stopped(); }

  // Sets nodes_, parent_, and the sources of the edges to each node.
  bool number_nodes(uint32_t root) {
    std::vector<uint32_t> numbers(graph_.nodes(), kNone);
    std::vector<std::pair<uint32_t, size_t>> path;  // number and next edge
    const auto visit = [&](uint32_t node, uint32_t parent) {
      numbers[node] = static_cast<uint32_t>(nodes_.size());
      path.emplace_back(numbers[node], 0);
      nodes_.push_back(node);
      parent_.push_back(parent);
    };
    visit(root, 0);
    while (!path.empty()) {
      if (check_.stopped()) return false;
      auto& [number, edge] = path.back();
      const auto targets = graph_.targets(nodes_[number]);
      if (edge == targets.size()) {
        path.pop_back();
        continue;
      }
      const uint32_t target = targets[edge++];
      if (numbers[target] == kNone) visit(target, number);
    }
    starts_.assign(nodes_.size() + 1, 0);
    const auto for_each_edge = [&](auto body) {
      for (uint32_t i = 0; i < nodes_.size(); ++i) {
        if (check_.stopped(1 + graph_.targets(nodes_[i]).size())) return false;
        for (const uint32_t target : graph_.targets(nodes_[i])) body(i, numbers[target]);
      }
      return true;
    };
    if (!for_each_edge([&](uint32_t, uint32_t target) { ++starts_[target + 1]; })) return false;
    for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    sources_.resize(starts_.back());
    std::vector<size_t> next(starts_.begin(), starts_.end() - 1);
    return for_each_edge(
        [&](uint32_t source, uint32_t target) { sources_[next[target]++] = source; });
  }

  // Returns the node with the least semidominator on the path to `node` in the forest. Paths are
  // compressed, so that only few are long.
  uint32_t least(uint32_t node) {
    if (ancestor_[node] == kNone) return label_[node];
    // Compresses the path, outermost first.
    path_.clear();
    for (uint32_t at = node; ancestor_[ancestor_[at]] != kNone; at = ancestor_[at])
      path_.push_back(at);
    was_stopped_ |= check_.stopped(path_.size());
    while (!path_.empty()) {
      const uint32_t at = path_.back();
      path_.pop_back();
      const uint32_t above = ancestor_[at];
      if (semi_[label_[above]] < semi_[label_[at]]) label_[at] = label_[above];
      ancestor_[at] = ancestor_[above];
    }
    return label_[node];
  }

  const Graph& graph_;
  PacedStopCheck check_;
  bool was_stopped_ = false;
  std::vector<uint32_t> nodes_;   // by preorder number
  std::vector<uint32_t> parent_;  // in the tree of the search
  std::vector<size_t> starts_;    // of the sources of each node
  std::vector<uint32_t> sources_, semi_, label_, ancestor_, idom_, path_;
};

}  // namespace

std::optional<std::vector<uint32_t>> dominators(const Graph& graph, uint32_t root,
                                                const StopCheck& stop) {
  return DominatorSearch(graph, stop).run(root);
}

}  // namespace tracebraid
