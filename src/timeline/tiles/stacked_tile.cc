// Frames of stacked counters: the last value of each series by bucket, and the bounds of the total.
#include <algorithm>
#include <limits>

#include "timeline/tiles/tiles.h"

namespace tracebraid::timeline {

std::string stacked_frame(const Timeline& timeline, uint32_t track, FrameHead head,
                          const TileRange& range) {
  bool was_cold = false;
  const std::shared_ptr<const StackedValues> stack = timeline.stacked(track, was_cold);
  std::vector<uint32_t> names, buckets;
  for (const StringId name : timeline.tracks()[track].series) names.push_back(name.row);
  std::vector<double> before(stack->series, std::numeric_limits<double>::quiet_NaN());
  std::vector<double> lows, highs, lasts;
  const auto values_at = [&](size_t time) {
    return std::span(stack->values).subspan(time * stack->series, stack->series);
  };
  const std::vector<int64_t>& times = stack->times;
  const auto place_of = [&](auto at) { return static_cast<size_t>(at - times.begin()); };
  auto at = std::ranges::lower_bound(times, range.begin());
  if (at != times.begin()) std::ranges::copy(values_at(place_of(at) - 1), before.begin());
  const auto end = std::ranges::upper_bound(times, range.last());
  while (at < end) {
    const uint32_t bucket = range.bucket_of(*at);
    const auto next = std::upper_bound(at, end, range.last_of(bucket));
    const ValueBounds bounds = stack->totals.bounds(place_of(at), place_of(next));
    buckets.push_back(bucket);
    lows.push_back(bounds.is_empty() ? 0 : bounds.low);
    highs.push_back(bounds.is_empty() ? 0 : bounds.high);
    const auto last = values_at(place_of(next) - 1);
    lasts.insert(lasts.end(), last.begin(), last.end());
    at = next;
  }
  head.kind = FrameKind::Stacked;
  head.lines = static_cast<uint16_t>(stack->series);
  head.items = static_cast<uint32_t>(buckets.size());
  if (was_cold) head.flags |= frame_flags::kCold;
  FrameWriter frame(head);
  frame.column(names);
  frame.column(before);
  frame.column(buckets);
  frame.column(lows);
  frame.column(highs);
  frame.column(lasts);
  return std::move(frame).finish();
}

}  // namespace tracebraid::timeline
