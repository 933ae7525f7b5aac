// Ranks of streams whose events are in several batches of a file.
#pragma once

#include <cstdint>

namespace tracebraid {

// A reader may divide the events of a stream into segments in several batches. Stream::rank then
// combines rank and segment: at equal times the rank decides, then the segment.
inline constexpr uint32_t kSegmentBits = 20;
inline constexpr uint32_t kMaxSegment = (uint32_t{1} << kSegmentBits) - 1;

constexpr uint32_t segment_rank(uint32_t rank, uint32_t segment) {
  return rank << kSegmentBits | segment;
}
constexpr uint32_t rank_of_segment(uint32_t stream_rank) { return stream_rank >> kSegmentBits; }

}  // namespace tracebraid
