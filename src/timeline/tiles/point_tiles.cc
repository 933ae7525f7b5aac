// Frames of counters, marks and hits: buckets with events that have no length.
#include <algorithm>
#include <array>
#include <limits>

#include "timeline/tiles/line_items.h"
#include "timeline/tiles/tiles.h"

namespace tracebraid::timeline {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct MarkColumns {
  std::vector<uint32_t> bucket, count, row;
  std::vector<uint8_t> worst;
};

std::string finish(FrameHead head, const MarkColumns& marks) {
  head.items = static_cast<uint32_t>(marks.bucket.size());
  FrameWriter frame(head);
  frame.column(marks.bucket);
  frame.column(marks.count);
  frame.column(marks.row);
  frame.column(marks.worst);
  return std::move(frame).finish();
}

}  // namespace

std::string counter_frame(const Timeline& timeline, uint32_t track, TileMode mode, FrameHead head,
                          const TileRange& range) {
  bool was_cold = false;
  const std::shared_ptr<const TrackIndex> index = timeline.index(track, was_cold);
  const std::shared_ptr<const CounterValues> values = timeline.values(track, mode, was_cold);
  const std::vector<double>& all = values->tree.values();
  std::vector<uint32_t> buckets, counts;
  std::vector<double> lows, highs, lasts;
  double before = kNone;
  if (index->lines.lines() > 0) {
    LineReader line(index->lines, 0);
    std::vector<LineBucket> found;
    append_buckets(line, range, found);
    if (const size_t at = line.lower_bound(range.begin()); at > 0) before = all[at - 1];
    for (const LineBucket& bucket : found) {
      const ValueBounds bounds = values->tree.bounds(bucket.first, bucket.end);
      if (bounds.is_empty()) continue;
      uint32_t last = bucket.end - 1;
      while (std::isnan(all[last])) --last;
      buckets.push_back(bucket.bucket);
      lows.push_back(bounds.low);
      highs.push_back(bounds.high);
      lasts.push_back(all[last]);
      counts.push_back(bucket.end - bucket.first);
    }
  }
  const ValueBounds domain = values->tree.bounds(0, all.size());
  const std::array<double, 3> heads = {before, domain.is_empty() ? kNone : domain.low,
                                       domain.is_empty() ? kNone : domain.high};
  head.kind = FrameKind::Counter;
  head.items = static_cast<uint32_t>(buckets.size());
  head.lines = 1;
  if (was_cold) head.flags |= frame_flags::kCold;
  FrameWriter frame(head);
  frame.column(std::span<const double>(heads));
  frame.column(buckets);
  frame.column(lows);
  frame.column(highs);
  frame.column(lasts);
  frame.column(counts);
  return std::move(frame).finish();
}

std::string mark_frame(const Timeline& timeline, uint32_t number, FrameHead head,
                       const TileRange& range) {
  const TreeTrack& track = timeline.tracks()[number];
  bool was_cold = false;
  const std::shared_ptr<const TrackIndex> index = timeline.index(number, was_cold);
  MarkColumns marks;
  std::vector<LineBucket> found;
  if (index->lines.lines() > 0) {
    LineReader line(index->lines, 0);
    append_buckets(line, range, found);
    for (const LineBucket& bucket : found) {
      marks.bucket.push_back(bucket.bucket);
      marks.count.push_back(bucket.end - bucket.first);
      marks.row.push_back(row_of(*index, timeline.lists(track.table), 0, bucket.first));
      const bool is_weighted = track.table == TableKind::Log || track.table == TableKind::Dump;
      const uint64_t worst = is_weighted ? line.sum(bucket.first, bucket.end).most : 0;
      marks.worst.push_back(static_cast<uint8_t>(std::min<uint64_t>(worst, UINT8_MAX)));
    }
  }
  head.kind = FrameKind::Marks;
  head.lines = 1;
  if (was_cold) head.flags |= frame_flags::kCold;
  return finish(head, marks);
}

std::string hit_frame(std::span<const HitTime> hits, const Timeline::Found& node, FrameHead head,
                      const TileRange& range) {
  // The numbers of the tracks of the node.
  std::vector<uint32_t> tracks;
  for (uint32_t at = node.index; at < node.node().end; ++at)
    if (const TreeNode& each = node.tree->nodes[at]; each.type == NodeType::Track)
      tracks.push_back(each.number);
  std::ranges::sort(tracks);
  const auto first = std::ranges::lower_bound(hits, range.begin(), {}, &HitTime::ts);
  const auto end = std::ranges::upper_bound(hits, range.last(), {}, &HitTime::ts);
  MarkColumns marks;
  for (auto hit = first; hit < end; ++hit) {
    if (!std::ranges::binary_search(tracks, hit->track)) continue;
    const uint32_t bucket = range.bucket_of(hit->ts);
    if (!marks.bucket.empty() && marks.bucket.back() == bucket) {
      ++marks.count.back();
      continue;
    }
    marks.bucket.push_back(bucket);
    marks.count.push_back(1);
    marks.row.push_back(hit->number);
    marks.worst.push_back(0);
  }
  head.kind = FrameKind::Hits;
  head.lines = 1;
  return finish(head, marks);
}

}  // namespace tracebraid::timeline
