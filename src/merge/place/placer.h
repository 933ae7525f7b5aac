// Placer: converts readings of the clocks of one batch, and counts what becomes of them.
//
// Input: clocks and a Placement. Output: trace times, and a PlaceCount for each clock. Used by
// placing, which has events, and by re-placing, which has readings only.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "event/event_kind.h"
#include "merge/place/place.h"

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
void place_log(Placer& placer, std::vector<LogRow>& log);

}  // namespace tracebraid
