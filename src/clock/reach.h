// The segments of a clock that was set back, and the readings that each of them can have shown
// (spec alignment 10).
//
//   reading      first segment        set back          second segment
//                f ... l ------> reach of the first
//                                reach of the second <------ f ... l
//
// Input: observations of two clocks. Output: segments and the readings that they cover. Called by
// map_of(), error_map_of() and SegmentMaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracebraid {

// Readings of two clocks at one moment, ns.
struct Observation {
  int64_t from;
  int64_t to;
  int64_t uncertainty_ns = 0;  // bound of `to`
};

// Returns the observations in order of time. Where both clocks go back together, the observations
// were only written in another order.
std::vector<Observation> in_time_order(std::span<const Observation> observations);

// A segment in which `from` never goes back: observations [first, end).
struct Segment {
  size_t first, end;
};
// Requires: the observations are in order of time.
std::vector<Segment> segments_of(std::span<const Observation> observations);

// Returns the number of segments, of observations in any order.
size_t count_segments(std::span<const Observation> observations);

// How long the clock may have run before its first and after its last observation, ns. Matters only
// for a clock that was set back.
struct Margin {
  // Twice the longest interval between two observations, at least a second and at most a day.
  static constexpr int64_t kUsual = -1;
  int64_t before_ns = kUsual, after_ns = kUsual;
  friend bool operator==(const Margin&, const Margin&) = default;
};

// The readings [low, high] that a segment can have shown.
struct Reach {
  int64_t low, high;
  bool holds(int64_t reading) const { return low <= reading && reading <= high; }
};

// Returns the reach of each segment: up to the moment when a neighbouring segment was observed, at
// a drift of at most 500 ppm, or as far as the margin allows. Requires: the observations are in
// order of time.
std::vector<Reach> reaches_of(std::span<const Observation> observations,
                              std::span<const Segment> segments, const Margin& margin);

// Readings [begin, last] in the reach of `count` segments.
struct Cover {
  int64_t begin, last;
  size_t count;
  size_t segment;  // if count is 1; the segment with the nearest reach if count is 0
};
// Returns the covers of all readings, rising. A single segment covers all readings.
std::vector<Cover> covers_of(std::span<const Reach> reaches);

}  // namespace tracebraid
