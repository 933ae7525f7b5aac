#include "merge/place/packed_readings.h"

#include <gtest/gtest.h>

#include <random>
#include <tuple>

#include "event/stream_rank.h"
#include "merge/place/place.h"

namespace tracebraid {
namespace {

using Random = std::mt19937_64;
using Kind = ClockPlace::Kind;

constexpr ClockKey kTimeline{.domain = domain::kBoottime, .machine = MachineId{0}};

int64_t number(Random& random, int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(random);
}

// Clocks with drift, with a step back, in ticks, without a path, and without a node.
struct World {
  ClockGraph graph;
  std::vector<ClockPlace> places;
  Placement placement;
};

World draw_world(Random& random) {
  World world;
  const ClockId timeline = world.graph.add(kTimeline);
  world.graph.set_trace_time(timeline);
  const auto add = [&](uint32_t domain, int64_t tick_ns) {
    const ClockKey key{.domain = domain, .machine = MachineId{0}};
    const ClockId clock = world.graph.add(key, tick_ns);
    world.places.push_back({.kind = Kind::Node, .node = clock, .tick_ns = tick_ns});
    return clock;
  };
  const auto relate = [&](ClockId clock, int64_t ticks, int64_t tick_ns, int64_t to) {
    const ClockReading both[] = {{.clock = clock, .ticks = ticks, .tick_ns = tick_ns},
                                 {.clock = timeline, .ticks = to}};
    std::ignore = world.graph.add_snapshot(both, {});
  };
  const ClockId drifting = add(200, 1), stepping = add(201, 1), coarse = add(202, 1000);
  for (int64_t i = 0, to = 0; i < 4; ++i, to += 100'000) {
    relate(drifting, i * 100'000, 1, to + number(random, -3, 3));
    relate(stepping, i == 2 ? 50'000 : i * 100'000, 1, to);
    relate(coarse, i * 100, 1000, to + number(random, -50, 50));
  }
  add(203, 1);
  world.places.push_back({.kind = Kind::Raw});
  world.places.push_back({.kind = Kind::Latest});
  world.places[0].zone_ns = number(random, 0, 1) * 1000;
  world.places[3].keep_raw_on_failure = number(random, 0, 1) == 1;
  world.placement =
      world.graph.solve(number(random, 0, 1) == 0 ? ClockModel::Linear : ClockModel::Step);
  return world;
}

EventBatch draw_batch(Random& random, size_t clocks) {
  EventBatch batch;
  batch.clocks.resize(clocks);
  batch.tracks.resize(2);
  batch.tracks[1].type = batch.strings.intern("thread_track_event");
  batch.streams = {{0, {}}, {segment_rank(1, 0), {}}};
  constexpr EventKind kKinds[] = {EventKind::Instant, EventKind::Slice, EventKind::Counter,
                                  EventKind::Row};
  for (Stream& stream : batch.streams) {
    int64_t ticks = number(random, -2000, 100'000);
    const bool is_plain = number(random, 0, 1) == 0;  // events of one clock in order
    const auto clock = static_cast<uint32_t>(number(random, 0, static_cast<int64_t>(clocks) - 1));
    for (int i = 0; i < 1500; ++i) {
      ticks += number(random, is_plain ? 0 : -200, 300);
      if (!is_plain && number(random, 0, 300) == 0) ticks = INT64_MAX - number(random, 0, 3);
      const EventKind kind = is_plain ? EventKind::Slice : kKinds[number(random, 0, 3)];
      stream.events.push_back(
          {.ts = ticks,
           .value = 0,
           .track = static_cast<uint32_t>(number(random, 0, 1)),
           .name = {},
           .category = {},
           .args = kNone,
           .extra = kNone,
           .clock = (is_plain ? clock : static_cast<uint32_t>(number(random, 0, 5))) & kMaxClocks,
           .kind = static_cast<uint8_t>(kind)});
      if (ticks > INT64_MAX / 2) ticks = 0;
    }
  }
  return batch;
}

TEST(PackedReadings, CountWhatPlacingTheEventsCounts) {
  Workers workers(1);
  int64_t placed = 0, lost = 0, negative = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const World world = draw_world(random);
    EventBatch batch = draw_batch(random, world.places.size());
    const PlacingRules rules{.drop_negative = number(random, 0, 1) == 1};
    const BatchReadings readings = pack_readings(batch);
    const std::vector<PlaceCount> counts =
        count_places(readings, world.places, world.placement, rules);
    const JoinMap map{
        .strings = {StringId{0}}, .tracks = {0, 1}, .is_of_track_events = {false, true}};
    const std::vector<PlaceCount> expected =
        place_batch(world.places, world.placement, map, rules, workers, batch);
    ASSERT_EQ(counts.size(), expected.size());
    for (size_t i = 0; i < counts.size(); ++i) {
      const PlaceCount &is = counts[i], &should = expected[i];
      EXPECT_EQ(is.placed, should.placed);
      EXPECT_EQ(is.timed, should.timed);
      EXPECT_EQ(is.no_path, should.no_path);
      EXPECT_EQ(is.ambiguous, should.ambiguous);
      EXPECT_EQ(is.out_of_range, should.out_of_range);
      EXPECT_EQ(is.negative, should.negative);
      EXPECT_EQ(is.negative_track_events, should.negative_track_events);
      EXPECT_EQ(is.lost_readings, should.lost_readings);
      placed += is.placed;
      lost += is.no_path + is.ambiguous + is.out_of_range;
      negative += is.negative_track_events;
      // Reports do not use the times of events without a time of their own.
      if (world.places[i].kind == Kind::Latest || should.timed == 0) continue;
      EXPECT_EQ(is.first_ts, should.first_ts);
      EXPECT_EQ(is.last_ts, should.last_ts);
      EXPECT_EQ(is.first_reading, should.first_reading);
      EXPECT_EQ(is.last_reading, should.last_reading);
    }
  }
  EXPECT_GT(placed, 100'000);
  EXPECT_GT(lost, 10'000);
  EXPECT_GT(negative, 500);
}

TEST(PackedReadings, TakeFewBytesForAnEvent) {
  EventBatch batch;
  batch.clocks.resize(1);
  batch.streams = {{0, {}}};
  Random random(1);
  for (int64_t i = 0, ticks = int64_t{1} << 60; i < 200'000;
       ++i, ticks += number(random, 0, 20'000))
    batch.streams[0].events.push_back(
        {.ts = ticks, .clock = 0, .kind = static_cast<uint8_t>(EventKind::Slice)});
  EXPECT_LT(readings_memory(pack_readings(batch)), 5 * batch.streams[0].events.size());
}

}  // namespace
}  // namespace tracebraid
