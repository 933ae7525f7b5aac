#include "event/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

namespace tracebraid {
namespace {

using Seen = std::tuple<int64_t, uint64_t, size_t>;  // ts, rank, position

// What TimeOrder must equal: all events, sorted by (ts, rank, position).
void expect_order(const std::vector<std::vector<int64_t>>& times) {
  std::vector<std::vector<Event>> streams;
  std::vector<Seen> expected;
  for (uint64_t rank = 0; rank < times.size(); ++rank) {
    std::vector<Event>& events = streams.emplace_back();
    for (size_t i = 0; i < times[rank].size(); ++i) {
      Event event{};
      event.ts = times[rank][i];
      event.value = static_cast<int64_t>(i);
      events.push_back(event);
      expected.emplace_back(event.ts, rank, i);
    }
  }
  std::ranges::sort(expected);
  std::vector<Run> runs;
  for (uint32_t i = 0; i < streams.size(); ++i)
    runs.push_back({streams[i].data(), streams[i].data() + streams[i].size(), i, i});
  TimeOrder order(std::move(runs));
  std::vector<Seen> seen;
  uint32_t batch = 0;
  while (const Event* event = order.next(batch))
    seen.emplace_back(event->ts, batch, static_cast<size_t>(event->value));
  EXPECT_EQ(seen, expected);
}

TEST(TimeOrder, NoRuns) { expect_order({}); }
TEST(TimeOrder, EmptyRuns) { expect_order({{}, {3, 4}, {}}); }
TEST(TimeOrder, TiesGoByRank) { expect_order({{5, 5, 7}, {5, 6, 7, 7}, {1, 5}}); }

TEST(TimeOrder, RandomRunsComeSorted) {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::vector<int64_t>> times(random() % 6);
    for (std::vector<int64_t>& run : times) {
      run.resize(random() % 50);
      for (int64_t& ts : run) ts = static_cast<int64_t>(random() % 40) - 10;
      std::ranges::sort(run);
    }
    expect_order(times);
  }
}

TEST(TimeOrder, GivesMemoryBackBehindTheConsumer) {
  std::vector<std::vector<Event>> streams(2);
  for (int64_t i = 0; i < 600'000; ++i) {
    Event event{};
    event.ts = event.value = i;
    streams[i % 1000 < 500 ? 0 : 1].push_back(event);
  }
  std::vector<tracebraid::Run> runs;
  for (uint32_t i = 0; i < 2; ++i)
    runs.push_back({streams[i].data(), streams[i].data() + streams[i].size(), i, i, true});
  TimeOrder order(std::move(runs));
  uint32_t batch = 0;
  const Event* before = order.next(batch);
  for (int64_t i = 1; const Event* event = order.next(batch); ++i) {
    ASSERT_EQ(before->value, i - 1);
    ASSERT_EQ(event->value, i);
    before = event;
  }
  EXPECT_EQ(streams[0][1000].value, 0);
  EXPECT_EQ(streams[1][1000].value, 0);
}

}  // namespace
}  // namespace tracebraid
