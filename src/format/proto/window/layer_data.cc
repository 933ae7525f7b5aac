#include "format/proto/window/layer_data.h"

#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"

namespace tracebraid::proto {
namespace {

// The parent of layers that are off the screen.
constexpr int32_t kOffscreenRoot = 0x7ffffffd;
constexpr uint32_t kHiddenFlag = 1;

// Reads up to four floats, fields 1 to 4.
CornerRadii read_floats(Message fields) {
  CornerRadii read;
  while (fields.next()) {
    if (fields.number() == field::CornerRadiiProto::kTl) read.tl = fields.real();
    if (fields.number() == field::CornerRadiiProto::kTr) read.tr = fields.real();
    if (fields.number() == field::CornerRadiiProto::kBl) read.bl = fields.real();
    if (fields.number() == field::CornerRadiiProto::kBr) read.br = fields.real();
  }
  return read;
}

LayerColor read_color(Message fields) {
  const CornerRadii read = read_floats(fields);
  return {read.tl, read.tr, read.bl, read.br};
}

std::vector<Rect> read_region(Message fields) {
  std::vector<Rect> rects;
  while (fields.next())
    if (fields.number() == field::RegionProto::kRect) rects.push_back(read_rect(fields.bytes()));
  return rects;
}

Matrix rotation(int32_t type) {
  const LayerTransform transform{.type = type, .matrix = {}};
  if (transform.has(LayerTransform::kRot270)) return {.dsdx = 0, .dtdx = -1, .dtdy = 1, .dsdy = 0};
  if (transform.has(LayerTransform::kRot180)) return {.dsdx = -1, .dsdy = -1};
  if (transform.has(LayerTransform::kRot90)) return {.dsdx = 0, .dtdx = 1, .dtdy = -1, .dsdy = 0};
  return {};
}

LayerTransform read_transform(Message fields) {
  using Field = field::TransformProto;
  LayerTransform read;
  Matrix values{.dsdx = 0, .dsdy = 0};
  while (fields.next()) {
    if (fields.number() == Field::kDsdx) values.dsdx = fields.real();
    // The message names these by columns, the matrix by rows.
    if (fields.number() == Field::kDsdy) values.dtdx = fields.real();
    if (fields.number() == Field::kDtdx) values.dtdy = fields.real();
    if (fields.number() == Field::kDtdy) values.dsdy = fields.real();
    if (fields.number() == Field::kType) read.type = fields.i32();
  }
  const bool has_values = (read.type & (LayerTransform::kInvalid | LayerTransform::kScale)) != 0;
  read.matrix = has_values ? values : rotation(read.type);
  return read;
}

bool is_buffer_empty(Message fields) {
  using Field = field::ActiveBufferProto;
  bool is_empty = true;
  while (fields.next()) {
    const uint32_t number = fields.number();
    if (number == Field::kWidth || number == Field::kHeight || number == Field::kStride)
      is_empty &= fields.u32() == 0;
    if (number == Field::kFormat) is_empty &= fields.i32() <= 0;
  }
  return is_empty;
}

InputWindow read_input(Message fields) {
  using Field = field::InputWindowInfoProto;
  InputWindow input;
  while (fields.next()) {
    if (fields.number() == Field::kInputConfig) input.config = fields.u32();
    if (fields.number() == Field::kFrame) input.frame = read_rect(fields.bytes());
    if (fields.number() == Field::kTouchableRegion) input.touchable = read_region(fields.message());
    if (fields.number() == Field::kVisible) input.is_visible = fields.flag();
  }
  return input;
}

void read_position(Message fields, double& x, double& y) {
  while (fields.next()) {
    if (fields.number() == field::PositionProto::kX) x = fields.real();
    if (fields.number() == field::PositionProto::kY) y = fields.real();
  }
}

void read_border(Message fields, Layer& layer) {
  while (fields.next()) {
    if (fields.number() == field::BorderSettings::kStrokeWidth) layer.border_width = fields.real();
    if (fields.number() == field::BorderSettings::kColor) layer.border_color = fields.i32();
  }
}

// Reads a field of numbers. Returns false for another field.
bool read_number(const Message& field, Layer& layer) {
  using Field = field::LayerProto;
  switch (field.number()) {
    case Field::kId:
      layer.id = field.i32();
      return true;
    case Field::kName:
      layer.name = field.bytes();
      return true;
    case Field::kLayerStack:
      layer.stack = field.u32();
      return true;
    case Field::kZ:
      layer.z = field.i32();
      return true;
    case Field::kIsOpaque:
      layer.is_opaque = field.flag();
      return true;
    case Field::kFlags:
      layer.flags = field.u32();
      return true;
    case Field::kParent:
      layer.parent = field.i32();
      return true;
    case Field::kZOrderRelativeOf:
      layer.relative_parent = field.i32();
      return true;
    case Field::kHwcCompositionType:
      layer.composition = field.i32();
      return true;
    case Field::kCornerRadius:
      layer.corner_radius = field.real();
      return true;
    case Field::kShadowRadius:
      layer.shadow_radius = field.real();
      return true;
    case Field::kBackgroundBlurRadius:
      layer.blur_radius = field.i32();
      return true;
    default:
      return false;
  }
}

void read_field(const Message& field, Layer& layer) {
  using Field = field::LayerProto;
  if (read_number(field, layer)) return;
  switch (field.number()) {
    case Field::kVisibleRegion:
      layer.visible_region = read_region(field.message());
      break;
    case Field::kPosition:
      read_position(field.message(), layer.x, layer.y);
      break;
    case Field::kColor:
      layer.color = read_color(field.message());
      break;
    case Field::kTransform:
      layer.transform = read_transform(field.message());
      break;
    case Field::kActiveBuffer:
      layer.is_buffer_empty = is_buffer_empty(field.message());
      break;
    case Field::kBounds:
      layer.bounds = read_float_rect(field.bytes());
      break;
    case Field::kScreenBounds:
      layer.screen_bounds = read_float_rect(field.bytes());
      break;
    case Field::kInputWindowInfo:
      layer.input = read_input(field.message());
      break;
    case Field::kCornerRadii:
      layer.corner_radii = read_floats(field.message());
      break;
    case Field::kEffectiveRadii:
      layer.effective_radii = read_floats(field.message());
      break;
    case Field::kBorderSettings:
      read_border(field.message(), layer);
      break;
    default:
      break;
  }
}

void read_layers_of(Message fields, LayersSnapshot& snapshot) {
  while (fields.next()) {
    if (fields.number() != field::LayersProto::kLayers) continue;
    Layer layer{.message = fields.bytes()};
    for (Message message = fields.message(); message.next();) read_field(message, layer);
    if (layer.id) snapshot.by_id.try_emplace(*layer.id, snapshot.layers.size());
    snapshot.layers.push_back(std::move(layer));
  }
  snapshot.is_malformed |= fields.bad();
}

LayerDisplay read_display(Message fields) {
  using Field = field::DisplayProto;
  LayerDisplay display;
  while (fields.next()) {
    switch (fields.number()) {
      case Field::kId:
        display.id = fields.u64();
        break;
      case Field::kName:
        display.name = fields.bytes();
        break;
      case Field::kLayerStack:
        display.stack = fields.u32();
        break;
      case Field::kSize:
        for (Message size = fields.message(); size.next();) {
          if (size.number() == field::SizeProto::kW) display.width = size.i32();
          if (size.number() == field::SizeProto::kH) display.height = size.i32();
        }
        break;
      case Field::kLayerStackSpaceRect:
        display.space = read_rect(fields.bytes());
        break;
      case Field::kTransform:
        display.transform = read_transform(fields.message());
        break;
      case Field::kIsVirtual:
        display.is_virtual = fields.flag();
        break;
      default:
        break;
    }
  }
  if (display.space.is_empty()) {
    const bool is_turned = display.transform.has(LayerTransform::kRot90);
    display.space = {0, 0, is_turned ? display.height : display.width,
                     is_turned ? display.width : display.height};
  }
  return display;
}

}  // namespace

bool Layer::is_hidden() const { return (flags & kHiddenFlag) != 0 || id == kOffscreenRoot; }

bool Layer::has_fill() const {
  return color && color->a > 0 && color->r >= 0 && color->g >= 0 && color->b >= 0;
}

bool Layer::has_effects() const { return shadow_radius > 0 || has_fill(); }

CornerRadii Layer::radii() const {
  CornerRadii sum = corner_radii;
  if (!sum.is_any()) sum = {corner_radius, corner_radius, corner_radius, corner_radius};
  return {sum.tl + effective_radii.tl, sum.tr + effective_radii.tr, sum.bl + effective_radii.bl,
          sum.br + effective_radii.br};
}

Matrix Layer::matrix() const {
  Matrix moved = transform.matrix;
  moved.tx = x;
  moved.ty = y;
  return moved;
}

const Layer* LayersSnapshot::layer(int32_t id) const {
  const auto at = by_id.find(id);
  return at == by_id.end() ? nullptr : &layers[at->second];
}

const LayerDisplay* LayersSnapshot::display(uint32_t stack) const {
  const auto at = display_of.find(stack);
  return at == display_of.end() ? nullptr : &displays[at->second];
}

LayersSnapshot read_layers_snapshot(std::string_view message) {
  using Field = field::LayersSnapshotProto;
  LayersSnapshot snapshot;
  Message fields(message);
  while (fields.next()) {
    if (fields.number() == Field::kElapsedRealtimeNanos) snapshot.elapsed = fields.i64();
    if (fields.number() == Field::kExcludesCompositionState)
      snapshot.excludes_composition_state = fields.flag();
    if (fields.number() == Field::kLayers) read_layers_of(fields.message(), snapshot);
    if (fields.number() != Field::kDisplays) continue;
    const LayerDisplay display = read_display(fields.message());
    snapshot.display_of.try_emplace(display.stack, snapshot.displays.size());
    snapshot.displays.push_back(display);
  }
  return snapshot;
}

}  // namespace tracebraid::proto
