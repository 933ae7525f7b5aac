// Graph: directed edges between numbered nodes, with searches.
//
// Input: edges in order. Output: visited nodes, dominators. Called by the graph functions; knows
// nothing of SQLite.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "query/scan/stop_check.h"

namespace tracebraid {

// Nodes have ids of the caller and numbers from 0 on, in the order of their first appearance.
class Graph {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  void add_edge(uint32_t source, uint32_t target, double weight = 0);
  // Sorts the edges by source. Call it once, after the last edge. Returns false if stopped.
  [[nodiscard]] bool finish(const StopCheck& stop);

  size_t nodes() const { return ids_.size(); }
  size_t edges() const { return targets_.size(); }
  uint32_t id(uint32_t node) const { return ids_[node]; }
  // Returns kNone for an unknown id.
  uint32_t node(uint32_t id) const {
    const auto found = numbers_.find(id);
    return found == numbers_.end() ? kNone : found->second;
  }
  // The targets of a node's edges, in the order of the edges. Requires: finish() returned true.
  std::span<const uint32_t> targets(uint32_t node) const {
    return std::span(targets_).subspan(starts_[node], starts_[node + 1] - starts_[node]);
  }
  std::span<const double> weights(uint32_t node) const {
    return std::span(weights_).subspan(starts_[node], starts_[node + 1] - starts_[node]);
  }

 private:
  uint32_t number(uint32_t id);

  absl::flat_hash_map<uint32_t, uint32_t> numbers_;
  std::vector<uint32_t> ids_, sources_, targets_;
  std::vector<double> weights_;
  std::vector<size_t> starts_;
};

struct VisitedNode {
  uint32_t id, parent;  // ids; Graph::kNone: a start
  friend bool operator==(const VisitedNode&, const VisitedNode&) = default;
};

enum class SearchOrder : uint8_t { DepthFirst, BreadthFirst };

// Appends the nodes that can be reached from `starts`, in the order of visits. Returns false if
// stopped.
bool reach(const Graph& graph, std::span<const uint32_t> starts, SearchOrder order,
           const StopCheck& stop, std::vector<VisitedNode>& visited);

// Whether a search by weight leaves out the node that passes the limit, or ends with it.
enum class WeightLimit : uint8_t { Ceiling, Floor };

// Appends the nodes reached depth first from `start` while the sum of the weights of the edges is
// at most `limit`. Returns false if stopped.
bool reach_by_weight(const Graph& graph, uint32_t start, double limit, WeightLimit kind,
                     const StopCheck& stop, std::vector<VisitedNode>& visited);

// Returns the immediate dominator of each node; kNone for the root and for nodes that cannot be
// reached from it. `root` is a number. Returns nothing if stopped.
std::optional<std::vector<uint32_t>> dominators(const Graph& graph, uint32_t root,
                                                const StopCheck& stop);

}  // namespace tracebraid
