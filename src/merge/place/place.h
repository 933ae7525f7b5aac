// Placing: converts readings of the clocks of a file to trace time, event by event.
//
// Input: batches and a Placement. Output: the same batches with trace times, each stream sorted.
// Called by merge().
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "assemble/placed_batch.h"
#include "base/workers.h"
#include "merge/join/join.h"
#include "merge/locate/located.h"

namespace tracebraid {

// The outcome for the events of one clock of one batch.
struct PlaceCount {
  int64_t placed = 0;
  int64_t timed = 0;         // events that show when the file was recorded
  int64_t no_path = 0;       // dropped: the clock has no path to trace time
  int64_t ambiguous = 0;     // dropped: ambiguous reading
  int64_t out_of_range = 0;  // dropped: the time does not fit into 64 bits
  int64_t negative = 0;      // before the start of trace time: kept, or dropped by the rules
  int64_t negative_track_events = 0;            // negative track events (spec clocks 9.2)
  int64_t first_reading = 0, last_reading = 0;  // ticks of the earliest and latest of timed
  int64_t first_ts = 0, last_ts = 0;            // their trace times, ns
  std::vector<int64_t>
      lost_readings;  // ticks of the first dropped events without a path or ambiguous
};
inline constexpr size_t kMaxLostReadings = 1000;

struct PlacingRules {
  bool drop_negative = false;
};

// The latest trace time of the earlier segments of a stream, ns (kLatestTime, event/stream_rank.h).
using LatestBefore = std::function<int64_t(uint32_t stream_rank)>;

// Converts the times of all events of `batch`, rewrites their indexes by `map`, removes events
// without a place, and sorts each stream. Returns counts by clock. With `latest_before`, places the
// streams one after the other, and calls it before each.
std::vector<PlaceCount> place_batch(std::span<const ClockPlace> clocks, const Placement& placement,
                                    const JoinMap& map, const PlacingRules& rules, Workers& workers,
                                    EventBatch& batch, const LatestBefore& latest_before = {});

}  // namespace tracebraid
