// MemoryGraph: the allocators of one memory dump, of all its processes, and what their
// sizes come to (spec json 4.15, finalisation).
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

  // What a node has beside its sizes.
  struct Attribute {
    StringId name, unit;
    StringId text;  // none if it is a number
    int64_t value = 0;
  };
  struct Node {
    uint32_t space = kGlobalSpace;  // others: one for each process
    std::string path;
    uint32_t parent = kNoIndex;
    std::vector<uint32_t> children;
    bool is_explicit = false;  // an event dumped it
    bool is_weak = false;      // all events that did say so
    bool is_removed = false;
    std::optional<int64_t> size;  // bytes
    std::optional<int64_t> effective_size;
    std::vector<Attribute> attributes;
    uint32_t owns = kNoIndex;        // edge of which it is the source
    std::vector<uint32_t> owned_by;  // edges of which it is the target
  };
  struct Edge {
    uint32_t source, target;   // nodes
    bool is_ownership = true;  // else retention, which changes no sizes
    int64_t importance = 0;
    bool is_removed = false;
  };

  // `plain_unit` is what sums of unlike units are in.
  explicit MemoryGraph(StringId plain_unit) : plain_unit_(plain_unit) {}

  // The node with this path; made if missing, and those around it.
  uint32_t node(uint32_t space, const std::string& path);
  // kNoIndex if there is none.
  uint32_t find(uint32_t space, const std::string& path) const;
  // False if the source owns another node: then nothing is added. An edge that is there
  // already keeps the larger importance.
  bool add_edge(const Edge& edge);

  // Does all that the specification lists, in its order. Returns how many contradictions
  // it met: sizes smaller than their parts, sums of unlike units, circles of owners.
  int64_t finalise();

  Node& at(uint32_t node) { return nodes_[node]; }
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Edge>& edges() const { return edges_; }

 private:
  struct Shares {  // of a node, while effective sizes are computed
    double not_owning = 0, not_owned = 0;
    double owning = 1, owned = 1;          // coefficients
    double all_owning = 1, all_owned = 1;  // with those of the nodes around
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
