#include "merge/place/place.h"
#include "event/event_kind.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

constexpr ClockKey kBoot{.domain = domain::kBoottime, .machine = MachineId{0}};
constexpr ClockKey kMono{.domain = domain::kMonotonic, .machine = MachineId{0}};
constexpr ClockKey kLone{.domain = 200, .machine = MachineId{0}};

Event instant(int64_t ts, uint32_t clock) {
  return {.ts = ts,
          .value = 0,
          .track = 0,
          .name = {},
          .category = {},
          .args = kNone,
          .extra = kNone,
          .clock = clock & kMaxClocks,
          .kind = static_cast<uint8_t>(EventKind::Instant)};
}

class PlaceTest : public testing::Test {
 protected:
  PlaceTest() {
    const ClockId boot = graph_.add(kBoot), mono = graph_.add(kMono), lone = graph_.add(kLone);
    const ClockReading together[] = {{mono, 100}, {boot, 1100}};
    EXPECT_TRUE(graph_.add_snapshot(together, {}));
    graph_.set_trace_time(boot);
    placement_ = graph_.solve(ClockModel::Step);
    using Kind = ClockPlace::Kind;
    places_ = {{.kind = Kind::Node, .node = mono},
               {.kind = Kind::Node, .node = lone},
               {.kind = Kind::Node, .node = lone, .keep_raw_on_failure = true},
               {.kind = Kind::Raw},
               {.kind = Kind::Latest}};
  }

  std::vector<int64_t> place(const std::vector<Event>& events, const PlacingRules& rules = {}) {
    EventBatch batch;
    batch.streams = {{0, events}};
    const JoinMap map{.tracks = {0}};
    counts_ = place_batch(places_, placement_, map, rules, workers_, batch);
    std::vector<int64_t> times;
    for (const Event& event : batch.streams[0].events) times.push_back(event.ts);
    return times;
  }

  Workers workers_{2};
  ClockGraph graph_;
  Placement placement_;
  std::vector<ClockPlace> places_;
  std::vector<PlaceCount> counts_;
};

using Times = std::vector<int64_t>;

TEST_F(PlaceTest, ConvertsSortsAndCounts) {
  EXPECT_EQ(place({instant(300, 0), instant(200, 0)}), (Times{1200, 1300}));
  EXPECT_EQ(counts_[0].placed, 2);
  EXPECT_EQ(counts_[0].first_ts, 1200);
  EXPECT_EQ(counts_[0].first_reading, 200);
  EXPECT_EQ(counts_[0].last_ts, 1300);
}

TEST_F(PlaceTest, MetadataSaysNothingOfWhenAFileWasRecorded) {
  Event metadata = instant(0, 0), row = instant(900, 0);
  metadata.kind = static_cast<uint8_t>(EventKind::MetadataTime);
  row.kind = static_cast<uint8_t>(EventKind::Row);
  place({metadata, instant(300, 0), row});
  EXPECT_EQ(counts_[0].placed, 3);
  EXPECT_EQ(counts_[0].first_ts, 1300);
  EXPECT_EQ(counts_[0].last_ts, 1300);
}

TEST_F(PlaceTest, LosesWhatHasNoPathUnlessRawWillDo) {
  EXPECT_EQ(place({instant(5, 1), instant(6, 2), instant(7, 3)}), (Times{6, 7}));
  EXPECT_EQ(counts_[1].no_path, 1);
  EXPECT_EQ(counts_[1].lost_readings, Times{5});
  EXPECT_EQ(counts_[2].placed, 1);
}

TEST_F(PlaceTest, EventsWithoutTimeTakeTheLatest) {
  EXPECT_EQ(place({instant(0, 4), instant(100, 0), instant(50, 0), instant(0, 4)}),
            (Times{0, 1050, 1100, 1100}));
}

TEST_F(PlaceTest, TimesThatDoNotFitAreLost) {
  EXPECT_EQ(place({instant(INT64_MAX, 0), instant(1, 0)}), Times{1001});
  EXPECT_EQ(counts_[0].out_of_range, 1);
}

TEST_F(PlaceTest, NegativeTimesAreKeptUnlessTheRulesDropThem) {
  EXPECT_EQ(place({instant(-2000, 0)}), Times{-1000});
  EXPECT_EQ(counts_[0].negative, 1);
  EXPECT_EQ(counts_[0].placed, 1);
  EXPECT_EQ(place({instant(-2000, 0), instant(0, 0)}, {.drop_negative = true}), Times{1000});
  EXPECT_EQ(counts_[0].negative, 1);
  EXPECT_EQ(counts_[0].placed, 1);
}

// The counts do not depend on how streams are divided among tasks.
TEST_F(PlaceTest, ManyStreamsCountAsOne) {
  constexpr int64_t kStreams = 50;
  EventBatch batch;
  for (uint32_t rank = 0; rank < kStreams; ++rank) {
    const int64_t ts = 1000 - 7 * int64_t{rank};
    batch.streams.push_back({rank, {instant(ts, 0), instant(0, 4), instant(rank, 1)}});
  }
  const JoinMap map{.tracks = {0}};
  counts_ = place_batch(places_, placement_, map, {}, workers_, batch);
  EXPECT_EQ(counts_[0].placed, kStreams);
  EXPECT_EQ(counts_[0].first_ts, 2000 - 7 * (kStreams - 1));
  EXPECT_EQ(counts_[0].last_ts, 2000);
  EXPECT_EQ(counts_[1].no_path, kStreams);
  ASSERT_EQ(counts_[1].lost_readings.size(), static_cast<size_t>(kStreams));
  for (int64_t i = 0; i < kStreams; ++i)
    EXPECT_EQ(counts_[1].lost_readings[static_cast<size_t>(i)], i);
  EXPECT_EQ(batch.streams[3].events.size(), 2U);
  EXPECT_EQ(batch.streams[3].events[1].ts, 2000 - 21);
}

TEST_F(PlaceTest, CompactEventsOfAllStreamsBecomeOneList) {
  EventBatch batch;
  batch.sched_facts = {{.cpu = 0}, {.cpu = 1}, {.cpu = 2, .clock = 1}};
  batch.sched_tasks.resize(1);
  batch.streams.push_back({.rank = 12, .events = {}, .sched = {{105, 0, 1}, {100, 0, 1}}});
  batch.streams.push_back({.rank = 13, .events = {}, .sched = {{100, 0, 2}}});
  batch.streams.push_back({.rank = 11, .events = {}, .sched = {{100, 0, 0}, {110, 0, 0}}});
  const std::vector<PlaceCount> counts =
      place_batch(places_, placement_, JoinMap{}, {}, workers_, batch);
  std::vector<std::pair<int64_t, uint32_t>> found;
  for (const SchedRecord& record : batch.sched) found.emplace_back(record.ts, record.fact);
  EXPECT_EQ(found, (std::vector<std::pair<int64_t, uint32_t>>{
                       {1100, 0}, {1100, 1}, {1105, 1}, {1110, 0}}));
  EXPECT_EQ(batch.sched_ranks, (std::vector<uint64_t>{11, 12}));
  EXPECT_EQ(counts[0].placed, 4);
  EXPECT_EQ(counts[1].no_path, 1);
}

}  // namespace
}  // namespace tracebraid
