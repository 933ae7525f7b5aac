// MemoryGraph: the allocators of all processes of one memory dump, and their computed sizes (spec
// json 4.15, finalisation).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/id.h"

namespace tracebraid {

class MemoryGraph {
 public:
  static constexpr uint32_t kNoIndex = ~uint32_t{0};
  static constexpr uint32_t kGlobalSpace = 0;

  // The attributes of a node besides its sizes.
  struct Attribute {
    StringId name, unit;
    StringId text;  // none if it is a number
    int64_t value = 0;
  };
  struct Node {
    uint32_t space = kGlobalSpace;  // other spaces: one per process
    std::string path;
    uint32_t parent = kNoIndex;
    std::vector<uint32_t> children;
    bool is_explicit = false;  // whether an event dumped it
    bool is_weak = false;      // whether all events that dumped it mark it as weak
    bool is_removed = false;
    std::optional<int64_t> size;  // bytes
    std::optional<int64_t> effective_size;
    std::vector<Attribute> attributes;
    uint32_t owns = kNoIndex;        // index of the edge from it
    std::vector<uint32_t> owned_by;  // indexes of the edges to it
  };
  struct Edge {
    uint32_t source, target;   // nodes
    bool is_ownership = true;  // else retention, which changes no sizes
    int64_t importance = 0;
    bool is_removed = false;
  };

  // `plain_unit` is the unit of sums of different units.
  explicit MemoryGraph(StringId plain_unit) : plain_unit_(plain_unit) {}

  // Returns the node with this path; creates it and its parents if missing.
  uint32_t node(uint32_t space, const std::string& path);
  // Returns kNoIndex for an unknown node.
  uint32_t find(uint32_t space, const std::string& path) const;
  // Adds an edge. Returns false and adds nothing if the source owns another node. An existing edge
  // keeps the larger importance.
  bool add_edge(const Edge& edge);

  // Executes all steps of the specification in its order. Returns the number of contradictions:
  // sizes smaller than their parts, sums of different units, cycles of owners.
  int64_t finalise();

  Node& at(uint32_t node) { return nodes_[node]; }
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Edge>& edges() const { return edges_; }

 private:
  struct Shares {  // used while effective sizes are computed
    double not_owning = 0, not_owned = 0;
    double owning = 1, owned = 1;          // coefficients
    double all_owning = 1, all_owned = 1;  // including those of the parents
  };

  uint32_t add_node(uint32_t space, uint32_t parent, std::string path);
  void order();
  void remove_weak();
  void own_tracing_overhead();
  void sum_attributes(bool global);
  void copy_to_owners();
  void find_size(uint32_t node);
  std::optional<int64_t> leaves_below(uint32_t node) const;
  void add_leaves(uint32_t node, uint32_t root, int64_t& sum) const;
  bool is_below(uint32_t node, uint32_t root) const;
  int64_t largest_owner(const Node& node) const;
  void find_effective_sizes();
  void find_parts(uint32_t node, std::vector<Shares>& shares) const;
  void divide(uint32_t node, std::vector<Shares>& shares) const;

  StringId plain_unit_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  absl::flat_hash_map<std::pair<uint32_t, std::string>, uint32_t> by_path_;
  std::vector<uint32_t> order_;  // children before parents, owners before owned
  uint32_t spaces_ = 1;
  int64_t contradictions_ = 0;
};

}  // namespace tracebraid
