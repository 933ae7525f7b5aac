#include "event/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <utility>

namespace tracebraid {
namespace {

using Seen = std::tuple<int64_t, uint64_t, size_t>;  // ts, rank, position

// The expected sequence: all events, sorted by (ts, rank, position).
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
  TimeOrder order(runs);
  std::vector<Seen> seen;
  for (auto at = order.next(); at.event != nullptr; at = order.next())
    seen.emplace_back(at.event->ts, at.batch, static_cast<size_t>(at.event->value));
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

// Compact events of several batches and ordinary events: one stream per CPU, with ranks after those
// of the batch before.
TEST(TimeOrder, CompactEventsGoByTheRanksOfTheirStreams) {
  constexpr uint32_t kCpus = 3, kBatches = 4;
  std::vector<SchedFact> facts(kCpus);
  for (uint32_t cpu = 0; cpu < kCpus; ++cpu) facts[cpu].cpu = cpu;
  std::mt19937 random(5);
  for (int round = 0; round < 100; ++round) {
    std::vector<std::vector<SchedRecord>> sched(kBatches);
    std::vector<std::vector<uint64_t>> ranks(kBatches);
    std::vector<Event> events(random() % 30);
    std::vector<Seen> expected;
    std::vector<tracebraid::Run> runs;
    for (size_t i = 0; i < events.size(); ++i) events[i].ts = static_cast<int64_t>(random() % 40);
    std::ranges::sort(events, {}, &Event::ts);
    for (const Event& event : events) expected.emplace_back(event.ts, 4, 0);
    runs.push_back({events.data(), events.data() + events.size(), kBatches, 4});
    for (uint32_t i = 0; i < kBatches; ++i) {
      for (uint32_t cpu = 0; cpu < kCpus; ++cpu) ranks[i].push_back(cpu * kBatches + i + (cpu > 0));
      sched[i].resize(random() % 60);
      for (SchedRecord& record : sched[i])
        record = {static_cast<int64_t>(random() % 40), 0, static_cast<uint32_t>(random() % kCpus)};
      std::ranges::stable_sort(sched[i], {}, [](const SchedRecord& record) {
        return std::pair(record.ts, record.fact);
      });
      for (const SchedRecord& record : sched[i])
        expected.emplace_back(record.ts, ranks[i][record.fact], 0);
      runs.push_back({.at = nullptr,
                      .end = nullptr,
                      .batch = i,
                      .rank = 0,
                      .sched = sched[i],
                      .facts = facts,
                      .ranks = ranks[i]});
    }
    std::ranges::sort(expected);
    std::vector<Seen> seen;
    TimeOrder order(runs);
    for (auto at = order.next(); at.event != nullptr || !at.sched.empty(); at = order.next()) {
      if (at.event != nullptr) seen.emplace_back(at.event->ts, 4, 0);
      for (const SchedRecord& record : at.sched)
        seen.emplace_back(record.ts, ranks[at.batch][record.fact], 0);
    }
    ASSERT_EQ(seen, expected);
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
  TimeOrder order(runs);
  const Event* before = order.next().event;
  for (int64_t i = 1; const Event* event = order.next().event; ++i) {
    ASSERT_EQ(before->value, i - 1);
    ASSERT_EQ(event->value, i);
    before = event;
  }
  EXPECT_EQ(streams[0][1000].value, 0);
  EXPECT_EQ(streams[1][1000].value, 0);
}

}  // namespace
}  // namespace tracebraid
