// PlaceCount: what placing counts, and the rules that it follows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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

}  // namespace tracebraid
