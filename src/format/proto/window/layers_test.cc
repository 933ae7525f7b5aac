// Drawing order, visibility and rectangles of layers.
#include <gtest/gtest.h>

#include "format/proto/test_trace.h"
#include "format/proto/window/layer_data.h"
#include "format/proto/window/layer_order.h"
#include "format/proto/window/layer_rects.h"
#include "format/proto/window/layer_visibility.h"
#include "format/proto/window/stats.h"

namespace tracebraid::proto {
namespace {

using LayerField = field::LayerProto;

Msg rect_to(uint64_t right, uint64_t bottom) {
  return Msg().num(field::RectProto::kRight, right).num(field::RectProto::kBottom, bottom);
}

// A layer with bounds and a buffer, of an opaque colour.
Msg layer(uint64_t id) {
  return Msg()
      .num(LayerField::kId, id)
      .num(LayerField::kIsOpaque, 1)
      .msg(LayerField::kColor, Msg().real(field::ColorProto::kA, 1))
      .msg(LayerField::kBounds, rect_to(100, 100))
      .msg(LayerField::kScreenBounds, Msg().real(3, 100).real(4, 100))
      .msg(LayerField::kActiveBuffer, Msg().num(field::ActiveBufferProto::kWidth, 1));
}

std::string snapshot(const std::vector<Msg>& layers) {
  Msg list;
  for (const Msg& one : layers) list.msg(field::LayersProto::kLayers, one);
  return Msg().msg(field::LayersSnapshotProto::kLayers, list).bytes();
}

std::vector<int32_t> drawn(const LayersSnapshot& snapshot) {
  std::vector<int32_t> ids;
  for (const size_t i : drawing_order(snapshot)) ids.push_back(*snapshot.layers[i].id);
  return ids;
}

TEST(LayerOrder, FollowsZAndLeavesCyclesOut) {
  const auto below = static_cast<uint64_t>(-5);
  const std::string bytes =
      snapshot({layer(1).num(LayerField::kZ, 3), layer(2), layer(3).num(LayerField::kParent, 1),
                layer(4).num(LayerField::kParent, 1).num(LayerField::kZ, below),
                layer(5).num(LayerField::kParent, 6), layer(6).num(LayerField::kParent, 5),
                layer(7).num(LayerField::kParent, 7), Msg()});
  EXPECT_EQ(drawn(read_layers_snapshot(bytes)), (std::vector<int32_t>{2, 4, 1, 3}));
}

TEST(LayerOrder, ALayerOfTwoIsDrawnOnce) {
  const std::string bytes = snapshot({layer(1), layer(1), layer(2).num(LayerField::kParent, 1)});
  EXPECT_EQ(drawn(read_layers_snapshot(bytes)), (std::vector<int32_t>{1, 2, 1}));
}

TEST(LayerVisibility, HiddenParentsInACycleEnd) {
  // The relative parent puts both layers into the drawing; their parents are a cycle.
  const std::string bytes = snapshot(
      {layer(1), layer(2).num(LayerField::kParent, 3).num(LayerField::kZOrderRelativeOf, 1),
       layer(3)
           .num(LayerField::kParent, 2)
           .num(LayerField::kZOrderRelativeOf, 1)
           .num(LayerField::kFlags, 1)});
  const LayersSnapshot read = read_layers_snapshot(bytes);
  const std::vector<LayerVisibility> made = layer_visibility(read, drawing_order(read));
  EXPECT_EQ(made[1].reasons.front(), "hidden by parent 3");
  EXPECT_EQ(made[2].reasons.front(), "flag is hidden");
}

TEST(LayerVisibility, ComparesWithAtMostSoManyLayers) {
  std::vector<Msg> layers;
  for (uint64_t id = 1; id <= kMostVisibleLayers + 50; ++id) {
    // Each lies beside the others, on its own place in the order.
    const auto left = static_cast<double>(1000 * id);
    layers.push_back(layer(id).msg(LayerField::kScreenBounds,
                                   Msg().real(1, left).real(2, 0).real(3, left + 10).real(4, 10)));
  }
  layers.front() =
      layer(1)
          .num(LayerField::kZ, static_cast<uint64_t>(-1))
          .msg(LayerField::kScreenBounds, Msg().real(1, 0).real(2, 0).real(3, 1e6).real(4, 10));
  const std::string bytes = snapshot(layers);
  const LayersSnapshot read = read_layers_snapshot(bytes);
  const std::vector<LayerVisibility> made = layer_visibility(read, drawing_order(read));
  EXPECT_EQ(made.front().partially_occluded_by.size(), kMostVisibleLayers);
}

TEST(LayerVisibility, RoundCornersDoNotHideTheCornersBelow) {
  const std::string round = snapshot({layer(1), layer(2).real(LayerField::kCornerRadius, 20)});
  const std::string square = snapshot({layer(1), layer(2)});
  for (const std::string* bytes : {&round, &square}) {
    const LayersSnapshot read = read_layers_snapshot(*bytes);
    EXPECT_EQ(layer_visibility(read, drawing_order(read)).front().is_visible, bytes == &round);
  }
}

TEST(LayerRects, ATransformWithoutInverseMovesNothing) {
  const Msg flat = Msg().num(field::TransformProto::kType, LayerTransform::kScale);
  const Msg input = Msg().msg(field::InputWindowInfoProto::kFrame, rect_to(10, 20));
  const std::string bytes = snapshot(
      {layer(1).msg(LayerField::kTransform, flat).msg(LayerField::kInputWindowInfo, input)});
  const LayersSnapshot read = read_layers_snapshot(bytes);
  const std::vector<size_t> order = drawing_order(read);
  const LayerRects rects = layer_rects(read, order, layer_visibility(read, order)).front();
  EXPECT_EQ(rects.input->rect.w, 10);
  EXPECT_EQ(rects.layer->depth, 0);
}

TEST(Layers, AMalformedSnapshotIsCountedAndKeepsItsRows) {
  Msg packet_of = packet(3, 5);
  packet_of.text(field::TracePacket::kSurfaceflingerLayersSnapshot,
                 snapshot({layer(1)}) + "\x12\x7f");
  const Outcome outcome = read_packets({packet_of});
  EXPECT_EQ(outcome.stat(stats::winscope_sf_layers_parse_errors), 1);
  EXPECT_EQ(std::ranges::count_if(outcome.events(EventKind::Row),
                                  [&](const Event& event) {
                                    return outcome.text(event.name) == "surfaceflinger_layer";
                                  }),
            1);
}

}  // namespace
}  // namespace tracebraid::proto
