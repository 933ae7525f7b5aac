#include "merge/align/lags.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace tracebraid::align {
namespace {

std::vector<SymbolTime> events_at(const std::vector<double>& times, double offset,
                                  uint64_t symbols) {
  std::vector<SymbolTime> events;
  for (size_t i = 0; i < times.size(); ++i)
    events.push_back({i * 7919 % symbols, static_cast<int64_t>(times[i] + offset)});
  return events;
}

std::vector<double> random_times(size_t count) {
  std::mt19937_64 random(1);
  std::exponential_distribution<double> step(1 / 5e6);
  std::vector<double> times;
  double now = 0;
  for (size_t i = 0; i < count; ++i) times.push_back(now += step(random));
  return times;
}

TEST(Lags, EventsAtIrregularTimesHaveOneDistance) {
  const std::vector<double> times = random_times(500);
  const LagPairs found = pair_by_lag(events_at(times, 0, 4), events_at(times, 9e12, 4));
  ASSERT_EQ(found.reason, Reason::None);
  ASSERT_EQ(found.pairs.size(), 500U);
  for (const auto& [a, b] : found.pairs) EXPECT_EQ(a, b);
}

TEST(Lags, RegularTimesAreAliased) {
  std::vector<double> times;
  for (int i = 0; i < 300; ++i) times.push_back(i * 10e6);
  const LagPairs found = pair_by_lag(events_at(times, 0, 1), events_at(times, 5e9, 1));
  EXPECT_EQ(found.reason, Reason::Aliased);
  EXPECT_NEAR(static_cast<double>(found.alias_period_ns.value()), 10e6, 1e5);
  EXPECT_GT(found.alias_count, 100);
}

TEST(Lags, OtherTimesAndSymbolsHaveNoDistance) {
  const std::vector<double> times = random_times(200);
  std::vector<double> others = random_times(400);
  others.erase(others.begin(), others.begin() + 200);
  EXPECT_NE(pair_by_lag(events_at(times, 0, 1), events_at(others, 0, 1)).reason, Reason::None);
  std::vector<SymbolTime> strange = events_at(times, 0, 4);
  for (SymbolTime& event : strange) event.symbol += 100;
  EXPECT_EQ(pair_by_lag(events_at(times, 0, 4), strange).reason, Reason::TooFew);
  EXPECT_EQ(pair_by_lag({}, strange).reason, Reason::TooFew);
}

TEST(Lags, ExtremeAndEqualReadingsHaveNoDistance) {
  using Limits = std::numeric_limits<int64_t>;
  const std::vector<SymbolTime> ends{{1, Limits::min()}, {1, 0}, {1, Limits::max()}};
  EXPECT_EQ(pair_by_lag(ends, ends).reason, Reason::TooFew);
  const std::vector<SymbolTime> equal(1000, {1, 5});
  const LagPairs found = pair_by_lag(equal, equal);
  EXPECT_LE(found.pairs.size(), equal.size());
}

}  // namespace
}  // namespace tracebraid::align
