// Placer: converts readings of the clocks of one batch, and counts what becomes of them.
//
// Input: clocks and a Placement. Output: trace times, and a PlaceCount for each clock. Used by
// placing, which has events, and by re-placing, which has readings only.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "clock/placement.h"
#include "event/batch.h"
#include "event/event_kind.h"
#include "merge/locate/located.h"
#include "merge/place/place_count.h"

namespace tracebraid {

enum class Fate : uint8_t { Kept, Lost };

// Whether events of the kind show when a file was recorded. Metadata may have any time, and rows of
// tables may have none.
constexpr bool is_timed(EventKind kind) {
  return kind != EventKind::MetadataTime && kind != EventKind::Row &&
         kind != EventKind::AggregateSamples;
}

// Whether events of the kind are track events, if they are on such a track (spec clocks 9.2).
constexpr bool may_be_track_event(EventKind kind) { return kind <= EventKind::State; }

// Consecutive events of one clock.
struct ReadingBlock {
  int64_t low, high;              // ticks, of all events
  int64_t timed_low, timed_high;  // of those that are timed
  uint32_t events, timed;         // counts
};

class Placer {
 public:
  Placer(std::span<const ClockPlace> clocks, const Placement& placement, const PlacingRules& rules)
      : rules_(rules), counts_(clocks.size()) {
    clocks_.reserve(clocks.size());
    for (const ClockPlace& place : clocks) clocks_.push_back({place, place.cursor(placement)});
  }

  // Converts the reading `ts` of an event in place, and counts it. Calls `is_track_event` for
  // negative times only.
  template <class IsTrackEvent>
  Fate place(int64_t& ts, uint32_t of_clock, bool is_timed, IsTrackEvent is_track_event) {
    ClockState& clock = clocks_[of_clock];
    PlaceCount& count = counts_[of_clock];
    const int64_t ticks = ts;
    switch (clock.place.kind) {
      case ClockPlace::Kind::Raw:
        break;
      case ClockPlace::Kind::Latest:
        ts = latest_;
        break;
      case ClockPlace::Kind::Node:
        if (__builtin_sub_overflow(ticks, clock.place.zone_ns, &ts)) ts = ticks;
        if (clock.cursor.place(ts, ts)) break;
        if (!clock.place.keep_raw_on_failure) return lose(clock, count, ticks, ts);
        if (__builtin_mul_overflow(ticks, clock.place.tick_ns, &ts)) ts = ticks;
        break;
    }
    if (ts < 0) [[unlikely]] {
      ++count.negative;
      count.negative_track_events += is_track_event() ? 1 : 0;
      if (rules_.drop_negative) return Fate::Lost;
    }
    latest_ = std::max(latest_, ts);
    ++count.placed;
    if (is_timed) note(count, ticks, ts);
    return Fate::Kept;
  }

  // Converts a time that is not of an event. Returns false if it has no place.
  bool place(const ArgTime& time, int64_t& ts) {
    ClockState& clock = clocks_[time.clock];
    switch (clock.place.kind) {
      case ClockPlace::Kind::Raw:
        ts = time.ticks;
        return true;
      case ClockPlace::Kind::Latest:
        return false;
      case ClockPlace::Kind::Node:
        if (clock.cursor.place(time.ticks, ts)) return true;
        return clock.place.keep_raw_on_failure &&
               !__builtin_mul_overflow(time.ticks, clock.place.tick_ns, &ts);
    }
    return false;
  }

  // Returns whether all events of the block have places from 0 on, in the order of their readings.
  bool is_steady(const ReadingBlock& block, uint32_t of_clock) {
    ClockState& clock = clocks_[of_clock];
    if (clock.place.kind == ClockPlace::Kind::Raw) return block.low >= 0;
    int64_t low = 0, high = 0;
    return clock.place.kind == ClockPlace::Kind::Node &&
           !__builtin_sub_overflow(block.low, clock.place.zone_ns, &low) &&
           !__builtin_sub_overflow(block.high, clock.place.zone_ns, &high) &&
           clock.cursor.is_steady(low, high) && time_in(clock, block.low) >= 0;
  }
  // Returns the time of a reading of a block that is_steady().
  int64_t time_in_steady(int64_t ticks, uint32_t of_clock) {
    return time_in(clocks_[of_clock], ticks);
  }

  // Counts what placing each event would count. Returns false, and counts nothing, if that takes
  // each event.
  bool place_block(const ReadingBlock& block, uint32_t of_clock) {
    if (!is_steady(block, of_clock)) return false;
    ClockState& clock = clocks_[of_clock];
    PlaceCount& count = counts_[of_clock];
    if (block.timed > 0) {
      const int64_t first = time_in(clock, block.timed_low),
                    last = time_in(clock, block.timed_high);
      // Of readings with one time, the first in the file counts.
      const bool is_clear =
          block.timed_low == block.timed_high || (time_in(clock, block.timed_low + 1) != first &&
                                                  time_in(clock, block.timed_high - 1) != last);
      if (!is_clear) return false;
      note(count, block.timed_low, first);
      note(count, block.timed_high, last);
      count.timed += static_cast<int64_t>(block.timed) - 2;
    }
    count.placed += block.events;
    return true;
  }

  std::vector<PlaceCount> finish() && { return std::move(counts_); }

 protected:
  // Sets the latest trace time of the stream so far.
  void set_latest(int64_t latest) { latest_ = latest; }

 private:
  // One clock of the batch while its events are placed.
  struct ClockState {
    ClockPlace place;
    PlaceCursor cursor;
  };

  // Requires: the reading has a place.
  static int64_t time_in(ClockState& clock, int64_t ticks) {
    if (clock.place.kind == ClockPlace::Kind::Raw) return ticks;
    int64_t ts = 0;
    clock.cursor.place(ticks - clock.place.zone_ns, ts);
    return ts;
  }

  static Fate lose(ClockState& clock, PlaceCount& count, int64_t ticks, int64_t reading) {
    const bool has_path = clock.cursor.has_place();
    const bool is_ambiguous = has_path && clock.cursor.is_ambiguous(reading);
    if (has_path && !is_ambiguous) {
      ++count.out_of_range;
      return Fate::Lost;
    }
    ++(is_ambiguous ? count.ambiguous : count.no_path);
    if (count.lost_readings.size() < kMaxLostReadings) count.lost_readings.push_back(ticks);
    return Fate::Lost;
  }

  static void note(PlaceCount& count, int64_t ticks, int64_t ts) {
    if (count.timed == 0 || ts < count.first_ts) {
      count.first_ts = ts;
      count.first_reading = ticks;
    }
    if (count.timed == 0 || ts > count.last_ts) {
      count.last_ts = ts;
      count.last_reading = ticks;
    }
    ++count.timed;
  }

  PlacingRules rules_;
  std::vector<ClockState> clocks_;
  std::vector<PlaceCount> counts_;
  int64_t latest_ = 0;  // latest trace time of the stream so far
};

// Places the times of rows of the import log.
inline void place_log(Placer& placer, std::vector<LogRow>& log) {
  for (LogRow& row : log)
    if (row.time.clock != kNone && !placer.place(row.time, row.ts)) row.ts = kUnset;
}

}  // namespace tracebraid
