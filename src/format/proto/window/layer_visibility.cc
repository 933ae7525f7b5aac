#include "format/proto/window/layer_visibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ranges>

namespace tracebraid::proto {
namespace {

// Ids of the nearest ancestors that are hidden, by index of the layer.
std::vector<std::optional<int32_t>> hidden_ancestors(const LayersSnapshot& snapshot) {
  enum class State : uint8_t { Unknown, Open, Known };
  std::vector<std::optional<int32_t>> hidden(snapshot.layers.size());
  std::vector<State> states(snapshot.layers.size());
  std::vector<size_t> path;
  for (size_t i = 0; i < snapshot.layers.size(); ++i) {
    std::optional<size_t> at = i;
    while (at && states[*at] == State::Unknown) {
      states[*at] = State::Open;
      path.push_back(*at);
      const std::optional<int32_t> parent = snapshot.layers[*at].parent;
      const auto found = parent ? snapshot.by_id.find(*parent) : snapshot.by_id.end();
      at = found == snapshot.by_id.end() ? std::nullopt : std::optional(found->second);
    }
    for (; !path.empty(); path.pop_back()) {
      const size_t layer = path.back();
      // In a cycle of parents, `at` is a layer of this path.
      if (at && snapshot.layers[*at].is_hidden())
        hidden[layer] = *snapshot.layers[*at].id;
      else if (at)
        hidden[layer] = hidden[*at];
      states[layer] = State::Known;
      at = layer;
    }
  }
  return hidden;
}

bool is_region_empty(const std::vector<Rect>& region) {
  return std::ranges::all_of(region, &Rect::is_empty);
}

bool has_bounds(const Layer& layer) { return layer.bounds && !layer.bounds->is_empty(); }

// Whether the layer would be visible without the layers above it.
bool is_visible_alone(const Layer& layer, bool is_hidden, bool excludes_composition_state) {
  if (is_hidden || !layer.color || !(layer.color->a > 0)) return false;
  if (layer.is_buffer_empty && !layer.has_effects()) return false;
  if (excludes_composition_state) return has_bounds(layer);
  return layer.visible_region && !is_region_empty(*layer.visible_region);
}

std::vector<std::string> reasons_of(const Layer& layer, std::optional<int32_t> hidden_ancestor,
                                    bool is_occluded, bool excludes_composition_state) {
  std::vector<std::string> reasons;
  const auto add = [&](bool applies, std::string_view text) {
    if (applies) reasons.emplace_back(text);
  };
  add(layer.is_hidden(), "flag is hidden");
  if (hidden_ancestor) reasons.push_back(fmt::format("hidden by parent {}", *hidden_ancestor));
  add(layer.is_buffer_empty, "buffer is empty");
  add(!layer.color || (layer.color->a > -1 && layer.color->a <= 0), "alpha is 0");
  add(!has_bounds(layer), "bounds is 0x0");
  add(!has_bounds(layer) && !layer.has_fill(), "crop is 0x0");
  add(layer.transform.matrix.determinant() == 0, "transform is invalid");
  add(layer.is_buffer_empty && !layer.has_effects() && layer.blur_radius <= 0,
      "does not have color fill, shadow or blur");
  add(layer.visible_region && is_region_empty(*layer.visible_region),
      "visible region calculated by Composition Engine is empty");
  add(!layer.visible_region && !excludes_composition_state, "null visible region");
  add(is_occluded, "occluded");
  return reasons;
}

// A layer on its display.
struct Shown {
  const Layer* layer;
  Rect rect;
  CornerRadii radii;
};

// Whether the inner corner lies within the rounded outer one. x and y are the distances of the
// inner corner from the outer one, towards its inside.
bool contains_corner(double outer, double inner, double x, double y) {
  constexpr double kTolerance = 0.01;
  if (outer <= inner) return true;
  const double dx = outer - (x + inner), dy = outer - (y + inner);
  if (dx <= 0 || dy <= 0) return true;  // beyond the rounded part
  return dx * dx + dy * dy <= (outer + kTolerance) * (outer + kTolerance);
}

bool contains(const Shown& outer, const Shown& inner) {
  constexpr double kTolerance = 0.01;
  const double left = inner.rect.x - outer.rect.x, top = inner.rect.y - outer.rect.y;
  const double right = outer.rect.right() - inner.rect.right();
  const double bottom = outer.rect.bottom() - inner.rect.bottom();
  if (!(left >= -kTolerance && top >= -kTolerance && right >= -kTolerance && bottom >= -kTolerance))
    return false;
  return contains_corner(outer.radii.tl, inner.radii.tl, left, top) &&
         contains_corner(outer.radii.tr, inner.radii.tr, right, top) &&
         contains_corner(outer.radii.bl, inner.radii.bl, left, bottom) &&
         contains_corner(outer.radii.br, inner.radii.br, right, bottom);
}

Shown shown_of(const Layer& layer, const LayersSnapshot& snapshot) {
  Shown shown{&layer, layer.screen_bounds.value_or(Rect()), layer.radii()};
  const LayerDisplay* display = snapshot.display(layer.stack);
  if (display != nullptr && !display->space.is_empty())
    shown.rect = cropped(shown.rect, display->space);
  return shown;
}

// Compares a layer with a visible one above it.
void compare(const Shown& below, const Shown& above, LayerVisibility& visibility) {
  const Layer& layer = *above.layer;
  if (layer.stack != below.layer->stack || layer.transform.has(LayerTransform::kInvalid)) return;
  const bool is_opaque = layer.is_opaque && layer.color->a >= 1;
  if (is_opaque && contains(above, below)) {
    visibility.is_visible = false;
    visibility.occluded_by.push_back(*layer.id);
  } else if (overlaps(above.rect, below.rect)) {
    (is_opaque ? visibility.partially_occluded_by : visibility.covered_by).push_back(*layer.id);
  }
}

}  // namespace

std::vector<LayerVisibility> layer_visibility(const LayersSnapshot& snapshot,
                                              const std::vector<size_t>& order) {
  const std::vector<std::optional<int32_t>> hidden = hidden_ancestors(snapshot);
  const bool excludes = snapshot.excludes_composition_state;
  std::vector<LayerVisibility> made(snapshot.layers.size());
  std::vector<Shown> above;
  for (const size_t i : std::views::reverse(order)) {
    const Layer& layer = snapshot.layers[i];
    LayerVisibility& visibility = made[i];
    const Shown shown = shown_of(layer, snapshot);
    visibility.is_visible = is_visible_alone(layer, layer.is_hidden() || hidden[i], excludes);
    if (visibility.is_visible) {
      for (const Shown& other : above) compare(shown, other, visibility);
      if (visibility.is_visible && above.size() < kMostVisibleLayers) above.push_back(shown);
    }
    if (!visibility.is_visible)
      visibility.reasons = reasons_of(layer, hidden[i], !visibility.occluded_by.empty(), excludes);
  }
  return made;
}

}  // namespace tracebraid::proto
