// Layers and displays of a snapshot, as records.
//
// Input: LayersSnapshotProto messages. Output: LayersSnapshot. Called by layers.cc; layer_order.h
// and layer_visibility.h compute what the snapshot does not say.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "format/proto/window/rects.h"

namespace tracebraid::proto {

struct LayerColor {
  double r = 0, g = 0, b = 0, a = 0;
};

struct CornerRadii {
  double tl = 0, tr = 0, bl = 0, br = 0;

  bool is_any() const { return tl > 0 || tr > 0 || bl > 0 || br > 0; }
};

// A transform of a layer or display, with the bits of its type.
struct LayerTransform {
  static constexpr int32_t kScale = 0x4, kRot90 = 0x400, kRot180 = 0x300, kRot270 = 0x700,
                           kInvalid = 0x8000;
  int32_t type = 0;
  Matrix matrix;  // without a shift, and the identity if absent

  bool has(int32_t bits) const { return (type & bits) == bits; }
};

struct InputWindow {
  static constexpr uint32_t kNotTouchable = 0x8, kWallpaper = 0x40, kSpy = 0x4000;
  uint32_t config = 0;
  Rect frame;
  std::optional<std::vector<Rect>> touchable;
  std::optional<bool> is_visible;
};

struct Layer {
  std::string_view message;
  std::optional<int32_t> id, parent, relative_parent;
  std::optional<std::string_view> name;
  std::optional<int64_t> composition;
  uint32_t stack = 0, flags = 0;
  int32_t z = 0, blur_radius = 0;
  bool is_opaque = false, is_buffer_empty = true;
  double shadow_radius = 0;
  std::optional<LayerColor> color;
  std::optional<Rect> bounds, screen_bounds;
  std::optional<std::vector<Rect>> visible_region;
  LayerTransform transform;
  double x = 0, y = 0;  // position
  double corner_radius = 0, border_width = 0;
  CornerRadii corner_radii, effective_radii;
  int32_t border_color = 0;
  std::optional<InputWindow> input;

  // Whether the layer itself is flagged as hidden, or is the parent of layers off the screen.
  bool is_hidden() const;
  bool has_fill() const;     // a colour that shows
  bool has_effects() const;  // a shadow or a colour
  CornerRadii radii() const;
  // The transform with the position.
  Matrix matrix() const;
};

struct LayerDisplay {
  uint64_t id = 0;
  std::optional<std::string_view> name;
  uint32_t stack = 0;
  double width = 0, height = 0;  // its size
  Rect space;                    // that its layers have
  LayerTransform transform;
  bool is_virtual = false;

  bool is_on() const { return stack != ~uint32_t{0}; }
};

struct LayersSnapshot {
  int64_t elapsed = 0;
  bool excludes_composition_state = true;
  std::vector<LayerDisplay> displays;
  std::vector<Layer> layers;
  absl::flat_hash_map<int32_t, size_t> by_id;        // index of the first layer
  absl::flat_hash_map<uint32_t, size_t> display_of;  // index of the first display, by stack
  bool is_malformed = false;                         // whether the list of layers is

  // Return null if there is none.
  const Layer* layer(int32_t id) const;
  const LayerDisplay* display(uint32_t stack) const;
};

// The views refer to `message`.
LayersSnapshot read_layers_snapshot(std::string_view message);

}  // namespace tracebraid::proto
