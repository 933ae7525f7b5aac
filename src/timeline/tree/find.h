// Fuzzy search of nodes by their titles (spec viewer 6.9: `@` tracks).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "timeline/tree/tree.h"

namespace tracebraid::timeline {

// Returns how well a title fits: 0 if not all letters of the text occur in order, without regard to
// case; more for letters that are adjacent or begin a word, and for short titles.
uint32_t fit_of(std::string_view text, std::string_view title);

// Returns the indexes of all nodes that fit, the best first, equal ones in the order of the tree.
std::vector<uint32_t> find_nodes(const Tree& tree, std::string_view text);

}  // namespace tracebraid::timeline
