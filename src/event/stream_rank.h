// Ranks of streams whose events are in several batches of one file.
#pragma once

#include <cstdint>

namespace tracebraid {

// Where events of one stream are cut into segments, each in a batch of its own or with others of
// the first, Stream::rank is made of both: at equal times the rank decides, then the segment.
inline constexpr uint32_t kSegmentBits = 20;
inline constexpr uint32_t kMaxSegment = (uint32_t{1} << kSegmentBits) - 1;

constexpr uint32_t segment_rank(uint32_t rank, uint32_t segment) {
  return rank << kSegmentBits | segment;
}
constexpr uint32_t rank_of_segment(uint32_t stream_rank) { return stream_rank >> kSegmentBits; }

}  // namespace tracebraid
