// The members of a node of the tree of tracks, for the answers of GET /traces/{t}/tracks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "engine/timeline.h"

namespace tracebraid::api {

// Returns whether a node is left out unless empty nodes are wanted.
bool is_hidden(const timeline::TreeNode& node);

struct ChildCount {
  size_t shown = 0, hidden = 0;
};
// Counts the nodes from `begin` on that have the same parent as the first.
ChildCount count_children(const timeline::Tree& tree, uint32_t begin, uint32_t end,
                          bool shows_empty);

// Takes the name of a member and its value, a JSON text.
using MemberSink = std::function<void(std::string_view name, std::string json)>;
// Adds the members of a node. `key` is its key as the answer shows it.
void add_members(const MemberSink& add, const timeline::Timeline& timeline,
                 const timeline::Tree& tree, uint32_t index, bool shows_empty,
                 std::string_view key);

}  // namespace tracebraid::api
