// Frames of flows.
#include <algorithm>
#include <map>
#include <tuple>

#include "timeline/tiles/tiles.h"

namespace tracebraid::timeline {
namespace {

constexpr size_t kMostArrows = 2000;     // beyond, arrows are bundled
constexpr uint32_t kBundleBuckets = 16;  // that both ends of a bundle have in common
constexpr uint8_t kViolation = 1, kOtherMachine = 2, kBundled = 4, kBackwards = 8;

struct Arrow {
  uint32_t out_track, in_track;
  uint16_t out_line, in_line;
  int64_t out_ts, in_ts;
  uint32_t row, count;
  uint8_t flags;
};

uint16_t as_line(uint32_t line) {
  return static_cast<uint16_t>(std::min<uint32_t>(line, UINT16_MAX));
}

Arrow arrow_of(const Timeline& timeline, uint32_t flow) {
  const Store& store = timeline.store();
  const auto [out, in, out_ts, in_ts] = timeline.flows().arrow(flow);
  const Timeline::LinePlace from = timeline.line_of(TableKind::Slice, out);
  const Timeline::LinePlace to = timeline.line_of(TableKind::Slice, in);
  uint8_t flags = timeline.flows().is_violation(flow) ? kViolation : 0;
  if (store.tracks.machine_id[store.slices.track_id[out]] !=
      store.tracks.machine_id[store.slices.track_id[in]])
    flags |= kOtherMachine;
  if (in_ts < out_ts) flags |= kBackwards;
  return {from.track, to.track, as_line(from.line), as_line(to.line), out_ts, in_ts, flow,
          1,          flags};
}

// Joins arrows between the same lines and times. The first flow of a bundle stands for it.
std::vector<Arrow> bundled(const std::vector<Arrow>& arrows, unsigned level) {
  std::map<std::tuple<uint32_t, uint16_t, uint32_t, uint16_t, int64_t, int64_t>, Arrow> bundles;
  const auto slot = [&](int64_t ts) { return (ts >> level) / kBundleBuckets; };
  for (const Arrow& arrow : arrows) {
    const auto [at, is_new] =
        bundles.try_emplace({arrow.out_track, arrow.out_line, arrow.in_track, arrow.in_line,
                             slot(arrow.out_ts), slot(arrow.in_ts)},
                            arrow);
    if (is_new) continue;
    ++at->second.count;
    at->second.flags |= static_cast<uint8_t>(arrow.flags | kBundled);
  }
  std::vector<Arrow> joined;
  for (const auto& [key, arrow] : bundles) joined.push_back(arrow);
  return joined;
}

template <class T>
void add_column(FrameWriter& frame, const std::vector<Arrow>& arrows, T Arrow::* member) {
  std::vector<T> values;
  values.reserve(arrows.size());
  for (const Arrow& arrow : arrows) values.push_back(arrow.*member);
  frame.column(values);
}

}  // namespace

std::string flow_frame(const Timeline& timeline, uint32_t track, FrameHead head,
                       const TileRange& range, std::span<const std::string> without) {
  const FlowIndex& index = timeline.flows();
  std::vector<uint32_t> flows = track == kWholeTrace
                                    ? index.in_window(range.begin(), range.last())
                                    : index.in_window(track, range.begin(), range.last());
  if (!without.empty())
    remove_categories(timeline.store(), timeline.flow_categories(), without, flows);
  std::vector<Arrow> arrows;
  arrows.reserve(flows.size());
  for (const uint32_t flow : flows) arrows.push_back(arrow_of(timeline, flow));
  if (arrows.size() > kMostArrows) arrows = bundled(arrows, range.level);
  head.kind = FrameKind::Flows;
  head.lines = 1;
  head.items = static_cast<uint32_t>(arrows.size());
  FrameWriter frame(head);
  const auto total = static_cast<uint32_t>(flows.size());
  frame.column(std::span(&total, 1));
  add_column(frame, arrows, &Arrow::out_track);
  add_column(frame, arrows, &Arrow::in_track);
  add_column(frame, arrows, &Arrow::out_line);
  add_column(frame, arrows, &Arrow::in_line);
  add_column(frame, arrows, &Arrow::out_ts);
  add_column(frame, arrows, &Arrow::in_ts);
  add_column(frame, arrows, &Arrow::row);
  add_column(frame, arrows, &Arrow::count);
  add_column(frame, arrows, &Arrow::flags);
  return std::move(frame).finish();
}

}  // namespace tracebraid::timeline
