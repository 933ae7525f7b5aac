#include "merge/place/row_span.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "merge/place/packed_readings.h"

namespace tracebraid {
namespace {

// A batch with one clock.
EventBatch batch_of(std::initializer_list<Event> events) {
  EventBatch batch;
  batch.clocks.resize(1);
  batch.streams = {{0, {}}};
  for (const Event& event : events) batch.streams[0].events.push_back(event);
  return batch;
}

Event event_of(EventKind kind, int64_t ts, int64_t value = 0) {
  return {.ts = ts,
          .value = value,
          .track = 0,
          .name = {},
          .category = {},
          .args = kNone,
          .extra = kNone,
          .clock = 0,
          .kind = static_cast<uint8_t>(kind)};
}

std::optional<TraceBounds> bounds_of(const EventBatch& batch, const ClockPlace& place,
                                     const Placement& placement = {}) {
  std::optional<TraceBounds> bounds;
  const ClockPlace places[] = {place};
  const auto counts = count_places(pack_readings(batch), places, placement, {});
  include_rows(row_spans(batch), places, placement, {}, counts, bounds);
  return bounds;
}

constexpr ClockPlace kRaw{.kind = ClockPlace::Kind::Raw};

TEST(RowSpanTest, NamesAndEndsBeginNoTrace) {
  const auto bounds =
      bounds_of(batch_of({event_of(EventKind::ThreadName, 1), event_of(EventKind::SliceEnd, 2),
                          event_of(EventKind::Counter, 5), event_of(EventKind::SliceEnd, 7),
                          event_of(EventKind::ProcessName, 9)}),
                kRaw);
  ASSERT_TRUE(bounds);
  EXPECT_EQ(bounds->start, 5);
  EXPECT_EQ(bounds->end, 7);
  EXPECT_FALSE(bounds_of(batch_of({event_of(EventKind::ThreadName, 1)}), kRaw));
}

TEST(RowSpanTest, TheLongestEventEndsTheTrace) {
  const auto bounds =
      bounds_of(batch_of({event_of(EventKind::Slice, 10, 500), event_of(EventKind::Slice, 20, 30),
                          event_of(EventKind::Counter, 60, 1'000'000)}),
                kRaw);
  ASSERT_TRUE(bounds);
  EXPECT_EQ(bounds->start, 10);
  EXPECT_EQ(bounds->end, 510);
}

// Any rate of the clock: which event ends last depends on it, as durations stay.
TEST(RowSpanTest, RandomEventsEndAsTheirRowsDo) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    ClockGraph graph;
    const ClockId timeline = graph.add({.domain = domain::kBoottime, .machine = MachineId{0}});
    graph.set_trace_time(timeline);
    const ClockId clock = graph.add({.domain = 200, .machine = MachineId{0}});
    const int64_t rate = std::uniform_int_distribution<int64_t>(1, 30)(random);
    for (const int64_t at : {int64_t{0}, int64_t{100'000}}) {
      const ClockReading both[] = {{.clock = clock, .ticks = at},
                                   {.clock = timeline, .ticks = at * rate / 10}};
      std::ignore = graph.add_snapshot(both, {});
    }
    const Placement placement = graph.solve(ClockModel::Linear);
    const ClockPlace place{.kind = ClockPlace::Kind::Node, .node = clock, .tick_ns = 1};
    EventBatch batch = batch_of({});
    PlaceCursor cursor = place.cursor(placement);
    std::optional<TraceBounds> expected;
    for (int i = 0; i < 20'000; i += 1 + round * 20) {
      const auto ts = std::uniform_int_distribution<int64_t>(0, 100'000)(random);
      const auto dur = std::uniform_int_distribution<int64_t>(0, 100'000 - ts / 2)(random);
      batch.streams[0].events.push_back(event_of(EventKind::Slice, ts, dur));
      int64_t placed = 0;
      ASSERT_TRUE(cursor.place(ts, placed));
      if (!expected) expected = {placed, placed};
      expected->start = std::min(expected->start, placed);
      expected->end = std::max(expected->end, placed + dur);
    }
    const auto bounds = bounds_of(batch, place, placement);
    ASSERT_TRUE(bounds);
    EXPECT_EQ(bounds->start, expected->start);
    EXPECT_EQ(bounds->end, expected->end);
  }
}

}  // namespace
}  // namespace tracebraid
