#include "engine/functions/profile_tree.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <limits>

namespace tracebraid {
namespace {

void add_to(int64_t& sum, int64_t part) {
  if (!__builtin_add_overflow(sum, part, &sum)) return;
  sum = part < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

bool contains_ignoring_case(std::string_view text, std::string_view part) {
  return std::ranges::search(
             text, part,
             [](char a, char b) {
               return absl::ascii_tolower(static_cast<unsigned char>(a)) ==
                      absl::ascii_tolower(static_cast<unsigned char>(b));
             }).begin() != text.end() ||
         part.empty();
}

}  // namespace

void ProfileValues::add(const ProfileValues& other) {
  add_to(count, other.count);
  add_to(size, other.size);
  add_to(alloc_count, other.alloc_count);
  add_to(alloc_size, other.alloc_size);
}

uint32_t ProfileTree::child(uint32_t parent, const ProfileFunction& function) {
  const auto number = static_cast<uint32_t>(nodes_.size());
  const Key key{parent, function.name, function.mapping, function.source_file, function.line};
  const auto [found, is_new] = numbers_.try_emplace(key, number);
  if (is_new)
    nodes_.push_back({function, parent, parent == kNone ? 0 : nodes_[parent].depth + 1, {}, {}});
  return found->second;
}

Result<> ProfileTree::focus(std::string_view text, const StopCheck& stop) {
  PacedStopCheck check(stop);
  std::vector<uint8_t> is_inside(nodes_.size()), is_kept(nodes_.size());
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (check.stopped(1 + node.function.name.size())) return tl::unexpected(check.error());
    is_inside[i] = static_cast<uint8_t>((node.parent != kNone && is_inside[node.parent] != 0) ||
                                        contains_ignoring_case(node.function.name, text));
  }
  for (size_t i = nodes_.size(); i-- > 0;) {
    if (check.stopped()) return tl::unexpected(check.error());
    is_kept[i] |= is_inside[i];
    if (is_kept[i] != 0 && nodes_[i].parent != kNone) is_kept[nodes_[i].parent] = 1;
  }
  std::vector<uint32_t> renumbered(nodes_.size(), kNone);
  std::vector<Node> kept;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (check.stopped()) return tl::unexpected(check.error());
    if (is_kept[i] == 0) continue;
    renumbered[i] = static_cast<uint32_t>(kept.size());
    Node node = nodes_[i];
    if (node.parent != kNone) node.parent = renumbered[node.parent];
    if (is_inside[i] == 0) node.self = {};
    kept.push_back(node);
  }
  nodes_ = std::move(kept);
  numbers_.clear();
  return {};
}

Result<> ProfileTree::sum(const StopCheck& stop) {
  PacedStopCheck check(stop);
  for (Node& node : nodes_) {
    if (check.stopped()) return tl::unexpected(check.error());
    node.total = node.self;
  }
  for (size_t i = nodes_.size(); i-- > 0;) {
    if (check.stopped()) return tl::unexpected(check.error());
    if (nodes_[i].parent != kNone) nodes_[nodes_[i].parent].total.add(nodes_[i].total);
  }
  return {};
}

}  // namespace tracebraid
