#include "clock/clock_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tracebraid {
namespace {

constexpr size_t kNoLimit = ~size_t{0};
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

ClockMap step(std::vector<Observation> observations) {
  return map_of(observations, ClockModel::Step);
}

// A literal implementation of spec clocks 3.3 step 4, for observations in which `from` never falls.
int64_t nearest_earlier(const std::vector<Observation>& observations, int64_t reading) {
  const Observation* best = &observations.front();
  for (const Observation& o : observations)
    if (o.from <= reading) best = &o;
  return reading + (best->to - best->from);
}

std::vector<Observation> random_observations(std::mt19937_64& random, size_t count) {
  std::vector<Observation> observations;
  int64_t from = static_cast<int64_t>(random() % 2000) - 1000;
  for (size_t i = 0; i < count; ++i) {
    from += static_cast<int64_t>(random() % 30);  // equal readings happen
    observations.push_back({from, from + static_cast<int64_t>(random() % 200) - 100});
  }
  return observations;
}

TEST(ClockMap, TakesTheNearestEarlierObservation) {
  const ClockMap map = step({{10, 10010}, {20, 20220}, {30, 30030}});
  EXPECT_EQ(map.convert(0), 10000);
  EXPECT_EQ(map.convert(10), 10010);
  EXPECT_EQ(map.convert(19), 10019);
  EXPECT_EQ(map.convert(20), 20220);
  EXPECT_EQ(map.convert(29), 20229);
  EXPECT_EQ(map.convert(40), 30040);
}

TEST(ClockMap, OfEqualReadingsTheLastCounts) {
  const ClockMap map = step({{50, 51}, {50, 55}, {50, 55}});
  EXPECT_EQ(map.convert(49), 50) << "before all of them the first does";
  EXPECT_EQ(map.convert(50), 55);
  EXPECT_EQ(map.convert(60), 65);
}

TEST(ClockMap, EqualsTheNaiveRule) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    const auto observations = random_observations(random, 1 + random() % 20);
    const ClockMap map = step(observations);
    for (int64_t reading = -1200; reading < 1800; reading += 7)
      ASSERT_EQ(map.convert(reading), nearest_earlier(observations, reading)) << reading;
  }
}

TEST(ClockMap, ComposingEqualsConvertingTwice) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 300; ++round) {
    const auto first = random_observations(random, 1 + random() % 12);
    const auto second = random_observations(random, 1 + random() % 12);
    const auto third = random_observations(random, 1 + random() % 12);
    const auto inner = compose(step(first), step(second), kNoLimit);
    const auto whole = compose(*inner, step(third), kNoLimit);
    const auto other =
        compose(step(first), *compose(step(second), step(third), kNoLimit), kNoLimit);
    ASSERT_EQ(*whole, *other) << "order of composing";
    for (int64_t reading = -1500; reading < 2200; reading += 3)
      ASSERT_EQ(whole->convert(reading),
                nearest_earlier(third, nearest_earlier(second, nearest_earlier(first, reading))));
  }
}

TEST(ClockMap, ComposingKeepsToItsLimit) {
  std::mt19937_64 random(3);
  const ClockMap a = step(random_observations(random, 20)),
                 b = step(random_observations(random, 20));
  const auto whole = compose(a, b, kNoLimit);
  ASSERT_GT(whole->pieces.size(), 5U);
  EXPECT_FALSE(compose(a, b, whole->pieces.size() - 1));
  EXPECT_TRUE(compose(a, b, whole->pieces.size()));
}

TEST(ClockMap, RefusesWhatASetBackClockCanHaveShownTwice) {
  // The clock was set back between 30040 and 30050.
  const ClockMap map =
      map_of(std::vector<Observation>{{10, 10010}, {20, 10020}, {40, 30040}, {25, 30050}},
             ClockModel::Step, {100, 100});
  EXPECT_EQ(map.convert(14), 10014);
  for (int64_t twice = 15; twice <= 50; ++twice) {
    EXPECT_FALSE(map.convert(twice)) << twice;
    EXPECT_TRUE(map.is_refused(twice));
  }
  EXPECT_EQ(map.convert(51), 30076);
  EXPECT_FALSE(map.is_refused(51));
  EXPECT_EQ(count_segments(std::vector<Observation>{{10, 1}, {20, 2}, {15, 3}, {30, 4}}), 2U);
}

TEST(ClockMap, TheOtherClockOfASetBackOneIsFine) {
  const ClockMap map = step({{10010, 10}, {10020, 20}, {30040, 40}, {40030, 30}, {50000, 50}});
  EXPECT_EQ(map.convert(10011), 11);
  EXPECT_EQ(map.convert(10029), 29);
  EXPECT_EQ(map.convert(40030), 30);
  EXPECT_EQ(map.convert(40040), 40);
  EXPECT_EQ(map.convert(50005), 55);
}

TEST(ClockMap, ObservationsWrittenOutOfOrderAreNoStep) {
  const ClockMap map = step({{100, 1100}, {300, 1400}, {200, 1250}});
  EXPECT_EQ(map.convert(150), 1150);
  EXPECT_EQ(map.convert(250), 1300);
  EXPECT_EQ(map.convert(350), 1450);
}

TEST(ClockMap, ManySteps) {
  // A saw tooth: the clock runs for 15, is set back by 5, and is read at once.
  std::vector<Observation> observations;
  for (int64_t i = 0; i < 10; ++i) {
    observations.push_back({i * 10, i * 1000});
    observations.push_back({i * 10 + 15, i * 1000 + 999});
  }
  const ClockMap map = map_of(observations, ClockModel::Step, {0, 0});
  EXPECT_EQ(map.convert(0), 0);
  EXPECT_EQ(map.convert(8), 8);
  EXPECT_FALSE(map.convert(12));
  EXPECT_EQ(map.convert(17), 1007) << "only in the second tooth";
  EXPECT_FALSE(map.convert(20));
  EXPECT_EQ(map.convert(200), 9894 + 200);
}

TEST(ClockMap, EndsOfTheRange) {
  const ClockMap map = step({{kLeast + 1, kLeast + 3}, {kMost - 1, kMost}});
  EXPECT_EQ(map.convert(kLeast), kLeast + 2);
  EXPECT_EQ(map.convert(kMost - 1), kMost);
  EXPECT_FALSE(map.convert(kMost)) << "does not fit";
  EXPECT_FALSE(step({{0, kMost}, {kMost, 0}}).convert(1));
  const ClockMap wide = step({{kLeast, kMost}});  // the offset itself does not fit
  EXPECT_FALSE(wide.convert(kLeast));
  const ClockMap far = step({{0, kMost}});
  EXPECT_FALSE(compose(far, far, kNoLimit)->convert(1));
  EXPECT_FALSE(ClockMap{}.convert(0));
}

TEST(ClockMap, LinearFollowsASmallDrift) {
  // 20 ppm over 10 s: 200 us.
  const std::vector<Observation> observations{{0, 0}, {10'000'000'000, 10'000'200'000}};
  const ClockMap map = map_of(observations, ClockModel::Linear);
  EXPECT_EQ(map.convert(0), 0);
  EXPECT_NEAR(static_cast<double>(*map.convert(5'000'000'000)), 5'000'100'000.0, 1.0);
  EXPECT_EQ(map.convert(10'000'000'000), 10'000'200'000);
  constexpr int64_t kHour = 3'600'000'000'000;
  EXPECT_NEAR(static_cast<double>(*map.convert(-kHour)), -3'600'072'000'000.0, 1.0);
  EXPECT_NEAR(static_cast<double>(*map.convert(kHour)), 3'600'072'000'000.0, 1.0);
  EXPECT_EQ(*map.convert(-100 * kHour) + 100 * kHour, *map.convert(-50 * kHour) + 50 * kHour)
      << "not followed for ever";
  EXPECT_EQ(*map.convert(100 * kHour) - 100 * kHour, *map.convert(50 * kHour) - 50 * kHour);
}

TEST(ClockMap, LinearDoesNotFollowWhatMayBeReadingNoise) {
  const std::vector<Observation> near{{0, 0, 1000}, {10'000'000'000, 10'000'001'500, 1000}};
  const ClockMap map = map_of(near, ClockModel::Linear);
  EXPECT_EQ(map.convert(9'000'000'000), 9'000'000'000);
  EXPECT_EQ(map.convert(20'000'000'000), 20'000'001'500);
}

TEST(ClockMap, LinearBeyondTheEndsGoesByTheNearestDrift) {
  std::vector<Observation> observations;
  for (int64_t i = 0; i < 20; ++i)  // 10 ppm, then 30 ppm
    observations.push_back(
        {i * 1'000'000'000, i * 1'000'010'000 + std::max<int64_t>(0, i - 10) * 20'000});
  const ClockMap map = map_of(observations, ClockModel::Linear);
  EXPECT_NEAR(static_cast<double>(*map.convert(-1'000'000'000)), -1'000'010'000.0, 1.0);
  EXPECT_NEAR(static_cast<double>(*map.convert(20'000'000'000) - *map.convert(19'000'000'000)),
              1'000'030'000.0, 1.0);
}

TEST(ClockMap, AStatedLineHoldsAlsoBeyond) {
  // Twice as fast.
  const ClockMap map =
      map_of(std::vector<Observation>{{1000, 5000}, {2000, 7000}}, ClockModel::Stated);
  for (const int64_t reading : {-1'000'000, 0, 1000, 1500, 2000, 1'000'000})
    EXPECT_EQ(map.convert(reading), 2 * reading + 3000) << reading;
  const ClockMap one = map_of(std::vector<Observation>{{1000, 5000}}, ClockModel::Stated);
  EXPECT_EQ(one.convert(3000), 7000);
  EXPECT_TRUE(
      map_of(std::vector<Observation>{{0, kLeast}, {1, kMost}}, ClockModel::Stated).convert(0));
}

TEST(ClockMap, LinearTakesASuspendForAStep) {
  const ClockMap map =
      map_of(std::vector<Observation>{{1000, 2000}, {2000, 3500}}, ClockModel::Linear);
  EXPECT_EQ(map.convert(1999), 2999);
  EXPECT_EQ(map.convert(2000), 3500);
}

TEST(ClockMap, ComposingLinearMapsIsWithinRounding) {
  std::mt19937_64 random(4);
  const auto drifting = [&](size_t count) {
    std::vector<Observation> observations;
    int64_t from = 0, to = static_cast<int64_t>(random() % 1'000'000);
    for (size_t i = 0; i < count; ++i) {
      observations.push_back({from, to});
      const auto elapsed = static_cast<int64_t>(1'000'000'000 + random() % 1'000'000'000);
      from += elapsed;
      to += elapsed + static_cast<int64_t>(random() % 100'000) - 50'000;
    }
    return observations;
  };
  for (int round = 0; round < 50; ++round) {
    const ClockMap a = map_of(drifting(8), ClockModel::Linear);
    const ClockMap b = map_of(drifting(8), ClockModel::Linear);
    const auto whole = compose(a, b, kNoLimit);
    for (int i = 0; i < 500; ++i) {
      const auto reading = static_cast<int64_t>(random() % 20'000'000'000) - 2'000'000'000;
      const int64_t twice = *b.convert(*a.convert(reading));
      ASSERT_NEAR(static_cast<double>(*whole->convert(reading) - twice), 0.0, 2.0);
    }
  }
}

TEST(MapCursor, AgreesWithTheMapInAnyOrder) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<Observation> observations = random_observations(random, 1 + random() % 30);
    if (round % 2 == 0) std::ranges::shuffle(observations, random);  // steps, refusals
    const ClockMap map = step(observations);
    MapCursor cursor(map);
    for (int i = 0; i < 500; ++i) {
      const int64_t reading =
          i % 2 == 0 ? i * 5 - 1000 : static_cast<int64_t>(random() % 4000) - 2000;
      int64_t out = 0;
      const bool has = cursor.convert(reading, out);
      const std::optional<int64_t> expected = map.convert(reading);
      ASSERT_EQ(has, expected.has_value()) << reading;
      if (has) {
        ASSERT_EQ(out, *expected) << reading;
      }
    }
    int64_t out = 0;
    EXPECT_EQ(cursor.convert(kMost, out), map.convert(kMost).has_value());
    EXPECT_EQ(cursor.convert(kLeast, out), map.convert(kLeast).has_value());
  }
}

TEST(MapCursor, WithoutAMap) {
  MapCursor cursor;
  int64_t out = 7;
  EXPECT_FALSE(cursor.has_map());
  EXPECT_FALSE(cursor.convert(0, out));
  EXPECT_FALSE(cursor.convert(1, out));
  EXPECT_EQ(out, 7);
}

}  // namespace
}  // namespace tracebraid
