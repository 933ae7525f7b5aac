#include "format/proto/window/layer_rects.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cmath>

namespace tracebraid::proto {
namespace {

bool is_equal(const Rect& a, const Rect& b) {
  constexpr double kTolerance = 1e-6;
  return std::abs(a.x - b.x) < kTolerance && std::abs(a.y - b.y) < kTolerance &&
         std::abs(a.w - b.w) < kTolerance && std::abs(a.h - b.h) < kTolerance;
}

// Bounds that stand for "no limit".
class UnlimitedBounds {
 public:
  explicit UnlimitedBounds(const LayersSnapshot& snapshot) {
    constexpr double kLargest = 50'000, kFactor = 10;
    add(kLargest, kLargest);
    double width = 0, height = 0;
    for (const LayerDisplay& display : snapshot.displays) {
      if (bounds_.size() < kMost) add_both(display.width * kFactor, display.height * kFactor);
      width = std::max(width, display.width);
      height = std::max(height, display.height);
    }
    if (!snapshot.displays.empty()) add_both(width * kFactor, height * kFactor);
  }

  bool contains(const Rect& rect) const {
    return std::ranges::any_of(bounds_, [&](const Rect& bound) { return is_equal(bound, rect); });
  }

 private:
  static constexpr size_t kMost = 64;  // more displays are damage

  void add(double x, double y) { bounds_.push_back({-x, -y, 2 * x, 2 * y}); }
  void add_both(double x, double y) {
    add(x, y);
    add(y, x);
  }

  std::vector<Rect> bounds_;
};

class Maker {
 public:
  explicit Maker(const LayersSnapshot& snapshot) : snapshot_(snapshot), unlimited_(snapshot) {}

  LayerRects make(const Layer& layer, bool is_visible) {
    LayerRects made;
    add_layer(layer, is_visible, made);
    if (layer.input) add_input(layer, *layer.input, is_visible, made);
    return made;
  }

 private:
  using Depths = absl::flat_hash_map<uint32_t, int64_t>;

  // Depths count from 1 on displays, because the display has depth 0.
  int64_t next_depth(Depths& depths, uint32_t stack) {
    const int64_t first = snapshot_.display(stack) == nullptr ? 0 : 1;
    return depths.try_emplace(stack, first).first->second++;
  }

  void add_layer(const Layer& layer, bool is_visible, LayerRects& made) {
    if (!layer.screen_bounds || (!is_visible && unlimited_.contains(*layer.screen_bounds))) return;
    TraceRect rect{.rect = layer.bounds.value_or(Rect()),
                   .matrix = layer.matrix(),
                   .group = layer.stack,
                   .depth = next_depth(depths_, layer.stack),
                   .is_visible = is_visible};
    if (layer.color)
      rect.opacity = layer.color->a;
    else if (is_visible)
      rect.opacity = 0;
    if (layer.border_width > 0) {
      rect.border_width = layer.border_width;
      rect.border_color = layer.border_color;
    }
    made.layer = rect;
  }

  void add_input(const Layer& layer, const InputWindow& input, bool is_visible, LayerRects& made) {
    const LayerDisplay* display = snapshot_.display(layer.stack);
    const bool is_cropped =
        display != nullptr && (input.frame.is_empty() || unlimited_.contains(input.frame) ||
                               (input.config & InputWindow::kWallpaper) != 0);
    const Matrix to_layer = inverse(layer.matrix()).value_or(Matrix());
    const auto placed = [&](Rect rect) {
      if (display != nullptr) rect = moved(display->transform.matrix, rect);
      if (is_cropped) rect = cropped(rect, display->space);
      return moved(to_layer, rect);
    };
    made.input = TraceRect{.rect = placed(input.frame),
                           .group = layer.stack,
                           .depth = next_depth(input_depths_, layer.stack),
                           .is_visible = input.is_visible.value_or(is_visible),
                           .is_spy = (input.config & InputWindow::kSpy) != 0};
    const bool is_touchable = (input.config & InputWindow::kNotTouchable) == 0;
    if (!is_touchable || (input.touchable && input.touchable->empty())) {
      made.fill.emplace_back();
    } else if (input.touchable) {
      for (const Rect& rect : *input.touchable) made.fill.push_back(placed(rect));
    }
  }

  const LayersSnapshot& snapshot_;
  UnlimitedBounds unlimited_;
  Depths depths_, input_depths_;
};

}  // namespace

std::vector<LayerRects> layer_rects(const LayersSnapshot& snapshot,
                                    const std::vector<size_t>& order,
                                    const std::vector<LayerVisibility>& visibility) {
  Maker maker(snapshot);
  std::vector<LayerRects> made(snapshot.layers.size());
  for (const size_t i : order) made[i] = maker.make(snapshot.layers[i], visibility[i].is_visible);
  return made;
}

}  // namespace tracebraid::proto
