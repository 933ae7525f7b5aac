// Which layers of a snapshot are visible, and why others are not (spec proto-2 11).
//
// Input: a LayersSnapshot and its drawing order. Output: a LayerVisibility for each layer. Called
// by layers.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "format/proto/window/layer_data.h"

namespace tracebraid::proto {

struct LayerVisibility {
  bool is_visible = false;
  std::vector<std::string> reasons;  // of a layer that is drawn and not visible
  // Ids of the layers above that hide it, hide a part of it, or show it through.
  std::vector<int32_t> occluded_by, partially_occluded_by, covered_by;
};

// Visible layers of a snapshot with which those below are compared. Real snapshots have less than
// 50; without a limit, the time would grow with the square of their number.
inline constexpr size_t kMostVisibleLayers = 256;

// Returns the visibility of each layer. `order` is the order from back to front; other layers are
// not visible.
std::vector<LayerVisibility> layer_visibility(const LayersSnapshot& snapshot,
                                              const std::vector<size_t>& order);

}  // namespace tracebraid::proto
