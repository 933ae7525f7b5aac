// The rectangles of the layers of a snapshot (spec proto-2 11).
//
// Input: a LayersSnapshot, its drawing order and visibility. Output: a LayerRects for each layer.
// Called by layers.cc.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "format/proto/window/layer_data.h"
#include "format/proto/window/layer_visibility.h"
#include "format/proto/window/rects.h"

namespace tracebraid::proto {

struct LayerRects {
  std::optional<TraceRect> layer, input;
  std::vector<Rect> fill;  // parts of the input rectangle that take touches
};

// Returns the rectangles of each layer; layers that are not drawn have none.
std::vector<LayerRects> layer_rects(const LayersSnapshot& snapshot,
                                    const std::vector<size_t>& order,
                                    const std::vector<LayerVisibility>& visibility);

}  // namespace tracebraid::proto
