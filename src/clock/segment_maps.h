// SegmentMaps: the places of the readings of a clock that was set back, by segment.
//
// A ClockMap refuses a reading that several segments reach. SegmentMaps gives the place that each
// of them would give, so that other evidence can choose (merge/place/segments.h).
//
// Input: a solved clock graph. Output: places and bounds. The placement must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "clock/clock_graph.h"
#include "clock/error_bounds.h"

namespace tracebraid {

// Returns the clock on the path of `clock` to trace time that was set back against the next clock
// of the path; none if no clock or several clocks of the path were.
std::optional<ClockId> set_back_clock(const Placement& placement, ClockId clock);

class SegmentMaps {
 public:
  struct Candidate {
    uint32_t segment;
    int64_t ts;
  };

  // Requires: set_back_clock() of the clock is a clock.
  SegmentMaps(const ClockGraph& graph, const Placement& placement, ClockId clock);

  size_t size() const { return reaches_.size(); }
  // Returns the segments that reach the reading, in order of time, with the trace times of it.
  // `reading` is in ns. The result is valid until the next call. Not for concurrent use.
  const std::vector<Candidate>& candidates(int64_t reading);
  // Returns a cursor that places the ticks of the clock by one segment. Refers to this object.
  PlaceCursor cursor(uint32_t segment) const;
  // Returns the largest bound of the readings in [first, last] of one segment, ns; kUnbounded if
  // they have no place.
  int64_t worst(uint32_t segment, int64_t first, int64_t last, ErrorBounds& bounds) const;

 private:
  struct Hop {
    ClockMap map;
    ErrorMap error;
  };
  int64_t tick_ns_;
  bool is_guessed_;
  ClockId next_;             // the path continues there
  PlaceCursor rest_;         // from there to trace time
  std::vector<Hop> before_;  // hops from the clock to the one that was set back
  std::vector<Hop> by_segment_;
  std::vector<Reach> reaches_;
  std::vector<Candidate> found_;  // scratch of candidates()
};

}  // namespace tracebraid
