#include "assemble/json/memory_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tracebraid {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

int64_t saturated_sum(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kMost : sum;
}

int64_t rounded(double bytes) {
  constexpr double kLimit = 9.2e18;
  return std::llround(std::clamp(bytes, 0.0, kLimit));
}

}  // namespace

uint32_t MemoryGraph::find(uint32_t space, const std::string& path) const {
  const auto at = by_path_.find({space, path});
  return at == by_path_.end() ? kNoIndex : at->second;
}

uint32_t MemoryGraph::node(uint32_t space, const std::string& path) {
  if (const uint32_t known = find(space, path); known != kNoIndex) return known;
  const size_t slash = path.rfind('/');
  const uint32_t parent =
      slash == std::string::npos ? kNoIndex : node(space, path.substr(0, slash));
  return add_node(space, parent, path);
}

uint32_t MemoryGraph::add_node(uint32_t space, uint32_t parent, std::string path) {
  const auto index = static_cast<uint32_t>(nodes_.size());
  by_path_[{space, path}] = index;
  spaces_ = std::max(spaces_, space + 1);
  Node made;
  made.space = space;
  made.path = std::move(path);
  made.parent = parent;
  nodes_.push_back(std::move(made));
  if (parent != kNoIndex) nodes_[parent].children.push_back(index);
  return index;
}

bool MemoryGraph::add_edge(const Edge& edge) {
  const auto index = static_cast<uint32_t>(edges_.size());
  if (edge.is_ownership) {
    const uint32_t known = nodes_[edge.source].owns;
    if (known != kNoIndex) {
      Edge& other = edges_[known];
      if (other.target != edge.target) return false;
      other.importance = std::max(other.importance, edge.importance);
      return true;
    }
    nodes_[edge.source].owns = index;
    nodes_[edge.target].owned_by.push_back(index);
  }
  edges_.push_back(edge);
  return true;
}

int64_t MemoryGraph::finalise() {
  order();
  remove_weak();
  own_tracing_overhead();
  order();  // again, with the added nodes
  sum_attributes(true);
  copy_to_owners();
  sum_attributes(false);
  const std::vector<uint32_t> known = order_;
  for (const uint32_t node : known) find_size(node);
  order();
  find_effective_sizes();
  return contradictions_;
}

// Kahn's algorithm. If it stops early, there is a cycle with edges of ownership; removes the
// remaining edges of ownership.
void MemoryGraph::order() {
  std::vector<uint32_t> waits(nodes_.size());  // number of predecessors
  size_t living = 0;
  order_.clear();
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.is_removed) continue;
    ++living;
    waits[i] = static_cast<uint32_t>(node.children.size() + node.owned_by.size());
    if (waits[i] == 0) order_.push_back(i);
  }
  size_t next = 0;
  const auto release = [&](uint32_t node) {
    if (node != kNoIndex && --waits[node] == 0) order_.push_back(node);
  };
  const auto run = [&] {
    for (; next < order_.size(); ++next) {
      const Node& node = nodes_[order_[next]];
      release(node.parent);
      if (node.owns != kNoIndex) release(edges_[node.owns].target);
    }
  };
  run();
  if (order_.size() == living) return;
  std::vector<uint32_t> cut;
  for (Node& source : nodes_)
    if (!source.is_removed && waits[static_cast<size_t>(&source - nodes_.data())] > 0 &&
        source.owns != kNoIndex)
      cut.push_back(std::exchange(source.owns, kNoIndex));
  for (const uint32_t edge : cut) edges_[edge].is_removed = true;
  for (const uint32_t edge : cut) release(edges_[edge].target);
  for (Node& node : nodes_)
    std::erase_if(node.owned_by, [&](uint32_t edge) { return edges_[edge].is_removed; });
  contradictions_ += static_cast<int64_t>(cut.size());
  run();
}

void MemoryGraph::remove_weak() {
  // Upwards: nodes that no event dumped stay if they have a strong child.
  for (const uint32_t i : order_) {
    Node& node = nodes_[i];
    if (!node.is_explicit)
      node.is_weak =
          std::ranges::all_of(node.children, [&](uint32_t child) { return nodes_[child].is_weak; });
  }
  // Downwards: parents before children, and owned nodes before owners.
  for (auto i = order_.rbegin(); i != order_.rend(); ++i) {
    Node& node = nodes_[*i];
    if (node.parent != kNoIndex && nodes_[node.parent].is_weak) node.is_weak = true;
    if (node.owns != kNoIndex && nodes_[edges_[node.owns].target].is_weak) node.is_weak = true;
  }
  for (Node& node : nodes_) node.is_removed = node.is_weak;
  for (Edge& edge : edges_)
    edge.is_removed |= nodes_[edge.source].is_removed || nodes_[edge.target].is_removed;
  const auto is_gone = [&](uint32_t edge) { return edges_[edge].is_removed; };
  for (Node& node : nodes_) {
    if (node.owns != kNoIndex && is_gone(node.owns)) node.owns = kNoIndex;
    std::erase_if(node.owned_by, is_gone);
    std::erase_if(node.children, [&](uint32_t child) { return nodes_[child].is_removed; });
  }
}

void MemoryGraph::own_tracing_overhead() {
  const auto living = [&](uint32_t space, const char* path) {
    const uint32_t node = find(space, path);
    return node != kNoIndex && !nodes_[node].is_removed ? node : kNoIndex;
  };
  for (uint32_t space = 1; space < spaces_; ++space) {
    const uint32_t tracing = living(space, "tracing");
    uint32_t heap = living(space, "malloc");
    if (heap == kNoIndex) heap = living(space, "winheap");
    if (tracing == kNoIndex || heap == kNoIndex) continue;
    uint32_t at = heap;
    for (const char* const part : {"/allocated_objects", "/tracing_overhead"}) {
      std::string path = nodes_[at].path + part;
      uint32_t below = find(space, path);
      if (below == kNoIndex) below = add_node(space, at, std::move(path));
      if (std::exchange(nodes_[below].is_removed, false)) nodes_[at].children.push_back(below);
      at = below;
    }
    add_edge({.source = tracing, .target = at});
  }
}

// Sets a missing number of a node to the sum over its children.
void MemoryGraph::sum_attributes(bool global) {
  for (const uint32_t i : order_) {
    if (nodes_[i].is_removed || (nodes_[i].space == kGlobalSpace) != global) continue;
    std::vector<Attribute> sums;
    for (const uint32_t child : nodes_[i].children) {
      for (const Attribute& part : nodes_[child].attributes) {
        if (part.text) continue;
        const auto same = std::ranges::find(sums, part.name, &Attribute::name);
        if (same == sums.end()) {
          sums.push_back(part);
          continue;
        }
        same->value = saturated_sum(same->value, part.value);
        if (same->unit != part.unit && same->unit != plain_unit_) ++contradictions_;
        if (same->unit != part.unit) same->unit = plain_unit_;
      }
    }
    std::vector<Attribute>& own = nodes_[i].attributes;
    for (const Attribute& sum : sums)
      if (std::ranges::find(own, sum.name, &Attribute::name) == own.end()) own.push_back(sum);
  }
}

// Copies attributes that owners of a global node state, and the node lacks.
void MemoryGraph::copy_to_owners() {
  for (const Node& node : nodes_) {
    if (node.is_removed || node.space != kGlobalSpace) continue;
    for (const uint32_t edge : node.owned_by) {
      Node& owner = nodes_[edges_[edge].source];
      if (!owner.size) owner.size = node.size;
      for (const Attribute& given : node.attributes)
        if (!given.text && std::ranges::find(owner.attributes, given.name, &Attribute::name) ==
                               owner.attributes.end())
          owner.attributes.push_back(given);
    }
  }
}

void MemoryGraph::find_size(uint32_t index) {
  if (nodes_[index].is_removed) return;
  const std::optional<int64_t> below = leaves_below(index);
  const Node& node = nodes_[index];
  std::optional<int64_t> owner;
  for (const uint32_t edge : node.owned_by)
    if (const auto& size = nodes_[edges_[edge].source].size)
      owner = std::max(owner.value_or(0), *size);
  if (!node.size && !below && !owner) return;
  if (node.size && *node.size < below.value_or(0)) ++contradictions_;
  if (node.size && *node.size < owner.value_or(0)) ++contradictions_;
  const int64_t size = std::max({node.size.value_or(0), below.value_or(0), owner.value_or(0)});
  nodes_[index].size = size;
  if (node.children.empty() || below.value_or(0) >= size) return;
  const uint32_t rest = add_node(node.space, index, node.path + "/<unspecified>");
  nodes_[rest].size = size - below.value_or(0);
  std::vector<uint32_t>& children = nodes_[index].children;
  std::rotate(children.begin(), children.end() - 1, children.end());
}

// Returns nothing if no child has a size.
std::optional<int64_t> MemoryGraph::leaves_below(uint32_t index) const {
  const std::vector<uint32_t>& children = nodes_[index].children;
  if (std::ranges::none_of(children, [&](uint32_t i) { return nodes_[i].size.has_value(); }))
    return std::nullopt;
  int64_t sum = 0;
  for (const uint32_t child : children) add_leaves(child, index, sum);
  return sum;
}

// The depth is that of paths, which readers limit.
void MemoryGraph::add_leaves(uint32_t index, uint32_t root, int64_t& sum) const {
  const Node& node = nodes_[index];
  if (node.owns != kNoIndex && is_below(edges_[node.owns].target, root)) return;
  if (node.children.empty()) sum = saturated_sum(sum, node.size.value_or(0));
  for (const uint32_t child : node.children) add_leaves(child, root, sum);
}

bool MemoryGraph::is_below(uint32_t node, uint32_t root) const {
  for (node = nodes_[node].parent; node != kNoIndex; node = nodes_[node].parent)
    if (node == root) return true;
  return false;
}

int64_t MemoryGraph::largest_owner(const Node& node) const {
  int64_t largest = 0;
  for (const uint32_t edge : node.owned_by)
    largest = std::max(largest, nodes_[edges_[edge].source].size.value_or(0));
  return largest;
}

void MemoryGraph::find_effective_sizes() {
  std::vector<Shares> shares(nodes_.size());
  const auto counts = [&](uint32_t i) { return !nodes_[i].is_removed && nodes_[i].size; };
  for (const uint32_t i : order_)
    if (counts(i)) find_parts(i, shares);
  for (const uint32_t i : order_)
    if (counts(i) && !nodes_[i].owned_by.empty()) divide(i, shares);
  for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
    if (!counts(*at)) continue;
    const Node& node = nodes_[*at];
    Shares& own = shares[*at];
    const Shares* const around = node.parent == kNoIndex ? nullptr : &shares[node.parent];
    own.all_owned = own.owned * (around == nullptr ? 1 : around->all_owned);
    if (node.owns != kNoIndex)
      own.all_owning = own.owning * shares[edges_[node.owns].target].all_owning;
    else
      own.all_owning = around == nullptr ? 1 : around->all_owning;
  }
  std::vector<double> effective(nodes_.size());
  for (const uint32_t i : order_) {
    if (!counts(i)) continue;
    Node& node = nodes_[i];
    if (node.children.empty())
      effective[i] = static_cast<double>(*node.size) * shares[i].all_owning * shares[i].all_owned;
    for (const uint32_t child : node.children) effective[i] += effective[child];
    node.effective_size = rounded(effective[i]);
  }
}

// Computes how much of a node owns nothing, and how much has no owner.
void MemoryGraph::find_parts(uint32_t index, std::vector<Shares>& shares) const {
  const Node& node = nodes_[index];
  Shares& own = shares[index];
  if (node.children.empty()) own.not_owning = own.not_owned = static_cast<double>(*node.size);
  for (const uint32_t i : node.children) {
    const Node& child = nodes_[i];
    if (child.owns == kNoIndex) own.not_owning += shares[i].not_owning;
    if (child.owned_by.empty())
      own.not_owned += shares[i].not_owned;
    else
      own.not_owned += static_cast<double>(child.size.value_or(0) - largest_owner(child));
  }
}

// Computes the share of each owner of a node, the most important first, and the remainder.
void MemoryGraph::divide(uint32_t index, std::vector<Shares>& shares) const {
  std::vector<const Edge*> owners;
  for (const uint32_t edge : nodes_[index].owned_by) owners.push_back(&edges_[edge]);
  std::ranges::stable_sort(owners, {}, [&](const Edge* edge) {
    return std::pair(-static_cast<double>(edge->importance), shares[edge->source].not_owning);
  });
  double done = 0;
  for (size_t first = 0, last = 0; first < owners.size(); first = last) {
    while (last < owners.size() && owners[last]->importance == owners[first]->importance) ++last;
    double share = 0;
    for (size_t i = first; i < last; ++i) {
      Shares& owner = shares[owners[i]->source];
      if (owner.not_owning > done) {
        share += (owner.not_owning - done) / static_cast<double>(last - i);
        done = owner.not_owning;
      }
      owner.owning = owner.not_owning == 0 ? 0 : share / owner.not_owning;
    }
  }
  Shares& own = shares[index];
  own.owned = own.not_owned == 0 ? 0 : (own.not_owned - done) / own.not_owned;
}

}  // namespace tracebraid
