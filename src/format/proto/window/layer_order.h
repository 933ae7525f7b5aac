// The order in which layers are drawn (spec proto-2 11).
//
// Input: a LayersSnapshot. Output: indexes of layers from back to front. Called by layers.cc.
#pragma once

#include <cstddef>
#include <vector>

#include "format/proto/window/layer_data.h"

namespace tracebraid::proto {

// Returns the indexes of the layers that are drawn. Layers without an id, and those that do not
// hang on a root, such as layers of a cycle of parents, are left out.
std::vector<size_t> drawing_order(const LayersSnapshot& snapshot);

}  // namespace tracebraid::proto
