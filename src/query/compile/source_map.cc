#include "query/compile/source_map.h"

#include <algorithm>

namespace tracebraid {

uint32_t SourceMap::add_frame(SourceFrame frame) {
  frames_.push_back(std::move(frame));
  return static_cast<uint32_t>(frames_.size() - 1);
}

void SourceMap::add(uint32_t frame, size_t length, size_t original, bool is_copied) {
  has_made_ |= !is_copied;
  if (length != 0) segments_.push_back({size(), length, original, frame, is_copied});
}

void SourceMap::add_piece(const SourceMap& piece, size_t length, uint32_t parent, size_t call) {
  const auto first = static_cast<uint32_t>(frames_.size());
  for (const SourceFrame& frame : piece.frames_) {
    frames_.push_back(frame);
    frames_.back().parent += first;
  }
  frames_[first].parent = parent;
  frames_[first].call = call;
  has_made_ |= piece.has_made_;
  if (piece.segments_.empty()) {
    add(first, length, frames_[first].begin, true);
    return;
  }
  const size_t begin = size();
  for (Segment segment : piece.segments_) {
    segment.begin += begin;
    segment.frame += first;
    segments_.push_back(segment);
  }
}

SourceMap SourceMap::part(size_t begin, size_t end) const {
  SourceMap part;
  part.frames_ = frames_;
  part.has_made_ = has_made_;
  if (!part.frames_.empty() && place(begin).frame == 0 && place(end).frame == 0) {
    part.frames_[0].begin = place(begin).offset;
    part.frames_[0].end = std::max(place(end).offset, part.frames_[0].begin);
  }
  if (begin == end) return part;
  auto segment = std::ranges::upper_bound(segments_, begin, {}, &Segment::begin);
  if (segment != segments_.begin()) --segment;
  for (; segment != segments_.end() && segment->begin < end; ++segment) {
    const size_t from = std::max(segment->begin, begin);
    const size_t to = std::min(segment->begin + segment->length, end);
    if (from >= to) continue;
    part.add(segment->frame, to - from,
             segment->original + (segment->is_copied ? from - segment->begin : 0),
             segment->is_copied);
  }
  return part;
}

SourceMap::Place SourceMap::place(size_t expanded) const {
  if (segments_.empty()) {
    if (frames_.empty()) return {0, expanded};
    return {0, std::min(frames_[0].begin + expanded, frames_[0].end)};
  }
  const auto after = std::ranges::upper_bound(segments_, expanded, {}, &Segment::begin);
  const Segment& segment = *std::prev(after);
  if (!segment.is_copied) return {segment.frame, segment.original};
  return {segment.frame, segment.original + std::min(expanded - segment.begin, segment.length)};
}

}  // namespace tracebraid
