#include "format/proto/window/layers.h"

#include <vector>

#include "event/plain_args.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/window/layer_data.h"
#include "format/proto/window/layer_order.h"
#include "format/proto/window/layer_rects.h"
#include "format/proto/window/layer_visibility.h"
#include "format/proto/window/message_rows.h"
#include "format/proto/window/rects.h"
#include "format/proto/window/stats.h"

namespace tracebraid::proto {
namespace {

constexpr StatId kMalformed = stats::winscope_sf_layers_parse_errors;
constexpr MessageType kSnapshot{"com.android.internal.LayersSnapshotProto", kMalformed};
constexpr MessageType kLayer{"com.android.internal.LayerProto", kMalformed};

class SnapshotRows {
 public:
  SnapshotRows(const PacketInfo& packet, PacketOutput& out)
      : packet_(packet), out_(out), rects_(packet.time, out.sink) {}

  void add(std::string_view message) {
    const LayersSnapshot snapshot = read_layers_snapshot(message);
    if (snapshot.is_malformed) out_.count(kMalformed, packet_);
    add_snapshot(message, snapshot.elapsed);
    for (size_t i = 0; i < snapshot.displays.size(); ++i)
      add_display(snapshot.displays[i], static_cast<int64_t>(i));
    const std::vector<size_t> order = drawing_order(snapshot);
    const std::vector<LayerVisibility> visibility = layer_visibility(snapshot, order);
    const std::vector<LayerRects> rects = layer_rects(snapshot, order, visibility);
    for (size_t i = 0; i < snapshot.layers.size(); ++i)
      add_layer(snapshot, snapshot.layers[i], visibility[i], rects[i]);
  }

 private:
  void add_snapshot(std::string_view message, int64_t elapsed) {
    const std::string head = without_field(
        packet_, kSnapshot, message, {kSnapshot.name, field::LayersSnapshotProto::kLayers}, out_);
    const uint32_t args = message_args(packet_, kSnapshot, head, out_);
    RowWriter row(out_.sink, "surfaceflinger_layers_snapshot");
    add_raw(message, row);
    row.integer("sequence_id", packet_.sequence->id)
        .integer("has_invalid_elapsed_ts", elapsed == 0);
    number_ = rects_.next_number();
    out_.sink.event(row.finish(packet_.time, args, number_));
  }

  void add_display(const LayerDisplay& display, int64_t index) {
    const int64_t rect =
        rects_.add({.rect = display.space, .group = display.stack, .depth = index});
    RowWriter row(out_.sink, "surfaceflinger_display");
    row.row("snapshot_id", number_)
        .row("trace_rect_id", rect)
        .integer("is_on", display.is_on())
        .integer("is_virtual", display.is_virtual)
        .integer("display_id", static_cast<int64_t>(display.id));
    if (display.name) row.text("display_name", *display.name);
    out_.sink.event(row.finish(packet_.time));
  }

  uint32_t layer_args(const Layer& layer, const LayerVisibility& visibility) {
    ArraySizes arrays;
    ArgPath path("");
    out_.sink.open_args();
    add_fields(packet_, kLayer, layer.message, arrays, out_);
    const auto add_list = [&](std::string_view name, const auto& list, auto add_value) {
      for (const auto& element : list) {
        const ArgPath::Mark mark = path.mark();
        path.enter(name);
        path.enter(arrays.add(path));
        add_value(path.arg_key(out_.sink), element);
        path.leave(mark);
      }
    };
    const auto add_id = [&](uint32_t key, int32_t id) { out_.sink.arg(key, ArgType::Int, id); };
    add_list("visibility_reason", visibility.reasons, [&](uint32_t key, const std::string& text) {
      out_.sink.arg(key, ArgType::String, out_.sink.string(text).row);
    });
    add_list("occluded_by", visibility.occluded_by, add_id);
    add_list("partially_occluded_by", visibility.partially_occluded_by, add_id);
    add_list("covered_by", visibility.covered_by, add_id);
    return out_.sink.close_args();
  }

  // Adds a rectangle and the parts of it that take touches. Returns the number of its row, or 0.
  int64_t add_rect(const std::optional<TraceRect>& rect, const std::vector<Rect>& fill) {
    if (!rect) return 0;
    const int64_t number = rects_.add(*rect);
    for (const Rect& part : fill) {
      const int64_t bounds = rects_.add(part);
      out_.sink.event(RowWriter(out_.sink, "winscope_fill_region")
                          .row("trace_rect_id", number)
                          .row("rect_id", bounds)
                          .finish(packet_.time));
    }
    return number;
  }

  void add_layer(const LayersSnapshot& snapshot, const Layer& layer,
                 const LayerVisibility& visibility, const LayerRects& rects) {
    const int64_t rect = add_rect(rects.layer, {}), input = add_rect(rects.input, rects.fill);
    const uint32_t args = layer_args(layer, visibility);
    const int32_t relative = layer.relative_parent.value_or(0);
    const CornerRadii radii = layer.radii();
    RowWriter row(out_.sink, "surfaceflinger_layer");
    add_raw(layer.message, row);
    row.row("snapshot_id", number_)
        .integer("is_visible", visibility.is_visible)
        .integer("is_hidden_by_policy", layer.is_hidden())
        .integer("is_missing_z_parent", relative > 0 && snapshot.layer(relative) == nullptr)
        .real("corner_radius_tl", radii.tl)
        .real("corner_radius_tr", radii.tr)
        .real("corner_radius_bl", radii.bl)
        .real("corner_radius_br", radii.br);
    if (layer.id) row.integer("layer_id", *layer.id);
    if (layer.name) row.text("layer_name", *layer.name);
    if (layer.parent) row.integer("parent", *layer.parent);
    if (layer.composition) row.integer("hwc_composition_type", *layer.composition);
    if (layer.relative_parent) row.integer("z_order_relative_of", *layer.relative_parent);
    if (rect != 0) row.row("layer_rect_id", rect);
    if (input != 0) row.row("input_rect_id", input);
    out_.sink.event(row.finish(packet_.time, args));
  }

  const PacketInfo& packet_;
  PacketOutput& out_;
  RectRows rects_;
  int64_t number_ = 0;
};

}  // namespace

void read_layers(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  SnapshotRows(packet, out).add(message);
}

}  // namespace tracebraid::proto
