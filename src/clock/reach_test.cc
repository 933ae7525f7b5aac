#include "clock/reach.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "clock/clock_key.h"
#include "clock/clock_map.h"
#include "clock/error_map.h"

namespace tracebraid {
namespace {

constexpr int64_t kSecond = 1'000'000'000, kMs = 1'000'000;
constexpr int64_t kBoot = 5'000 * kSecond;
constexpr Margin kNoMargin{0, 0};

// A change of a wall clock at a moment, ns since the start.
struct Step {
  int64_t at, by_ns;
};

// A wall clock that shows 0 at the start, when BOOTTIME shows kBoot.
struct WallClock {
  std::vector<Step> steps;
  int64_t at(int64_t moment) const {
    int64_t shown = moment;
    for (const Step& step : steps)
      if (moment >= step.at) shown += step.by_ns;
    return shown;
  }
  std::vector<Observation> observed(int64_t duration_ns, int64_t every_ns) const {
    std::vector<Observation> seen;
    for (int64_t moment = 0; moment <= duration_ns; moment += every_ns)
      seen.push_back({at(moment), kBoot + moment, 1000});
    return seen;
  }
};

TEST(Reach, EndsWhereTheNextSegmentWasObserved) {
  const std::vector<Observation> seen{{100 * kSecond, 0, 10},
                                      {110 * kSecond, 10 * kSecond, 10},
                                      {50 * kSecond, 14 * kSecond, 10},
                                      {60 * kSecond, 24 * kSecond, 10}};
  const std::vector<Segment> segments = segments_of(seen);
  ASSERT_EQ(segments.size(), 2U);
  const std::vector<Reach> reaches = reaches_of(seen, segments, kNoMargin);
  EXPECT_EQ(reaches[0].low, 100 * kSecond - 10);
  EXPECT_EQ(reaches[0].high, 114 * kSecond + 2 * kMs + 20) << "4 s at 500 ppm";
  EXPECT_EQ(reaches[1].low, 46 * kSecond - 2 * kMs - 20);
  EXPECT_EQ(reaches[1].high, 60 * kSecond + 10);
}

TEST(Reach, TheUsualMarginIsTwiceTheLongestInterval) {
  const std::vector<Observation> seen{
      {100 * kSecond, 0}, {110 * kSecond, 10 * kSecond}, {50 * kSecond, 14 * kSecond}};
  const auto reaches = [&](const Margin& margin) {
    return reaches_of(seen, segments_of(seen), margin);
  };
  EXPECT_EQ(reaches({})[0].low, 80 * kSecond);
  EXPECT_EQ(reaches({})[1].high, 70 * kSecond);
  EXPECT_EQ(reaches({3 * kSecond, 7})[0].low, 97 * kSecond);
  EXPECT_EQ(reaches({3 * kSecond, 7})[1].high, 50 * kSecond + 7);
  const std::vector<Observation> dense{{100, 0}, {110, 10}, {50, 20}};
  EXPECT_EQ(reaches_of(dense, segments_of(dense), {})[1].high, 50 + kSecond);
  const std::vector<Observation> rare{{100, 0}, {50, 100 * 86'400 * kSecond}};
  EXPECT_EQ(reaches_of(rare, segments_of(rare), {})[1].high, 50 + 86'400 * kSecond);
}

TEST(Reach, CoversHoldEachReadingOnce) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<Reach> reaches;
    for (size_t i = 0; i < 2 + random() % 5; ++i) {
      const auto low = static_cast<int64_t>(random() % 1000);
      reaches.push_back({low, low + static_cast<int64_t>(random() % 200)});
    }
    const std::vector<Cover> covers = covers_of(reaches);
    EXPECT_EQ(covers.front().begin, std::numeric_limits<int64_t>::min());
    EXPECT_EQ(covers.back().last, std::numeric_limits<int64_t>::max());
    for (size_t i = 1; i < covers.size(); ++i)
      ASSERT_EQ(covers[i].begin, covers[i - 1].last + 1) << "no gap, no overlap";
    const auto distance = [](const Reach& reach, int64_t reading) {
      return std::max({int64_t{0}, reach.low - reading, reading - reach.high});
    };
    for (int64_t reading = -50; reading < 1300; ++reading) {
      const auto cover = std::ranges::find_if(
          covers, [&](const Cover& c) { return c.begin <= reading && reading <= c.last; });
      const auto count =
          std::ranges::count_if(reaches, [&](const Reach& r) { return r.holds(reading); });
      ASSERT_EQ(cover->count, static_cast<size_t>(count)) << reading;
      if (count == 1) ASSERT_TRUE(reaches[cover->segment].holds(reading)) << reading;
      if (count > 0) continue;
      int64_t nearest = std::numeric_limits<int64_t>::max();
      for (const Reach& reach : reaches) nearest = std::min(nearest, distance(reach, reading));
      ASSERT_EQ(distance(reaches[cover->segment], reading), nearest) << reading;
    }
  }
}

TEST(Reach, NoObservationsHaveNoCovers) { EXPECT_TRUE(covers_of({}).empty()); }

TEST(Reach, ExtremesDoNotOverflow) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const std::vector<Observation> extreme{{kMost, kLeast, kMost}, {kLeast, kMost, kMost}};
  const std::vector<Reach> reaches = reaches_of(extreme, segments_of(extreme), {});
  EXPECT_EQ(reaches[0].high, kMost);
  EXPECT_EQ(reaches[1].low, kLeast);
  EXPECT_EQ(covers_of(reaches).front().begin, kLeast);
}

// World A17 of spec alignment 13: every reading has one place, and the bound does not contain the
// step.
TEST(Reach, AClockSetBackByMoreThanTheTraceLastsLosesNoReading) {
  for (const int64_t every : {1, 5, 10}) {
    const WallClock wall{{{57'300 * kMs, -600 * kSecond}}};
    const std::vector<Observation> seen = wall.observed(120 * kSecond, every * kSecond);
    const ClockMap map = map_of(seen, ClockModel::Linear);
    const ErrorMap error = error_map_of(seen, ClockModel::Linear, {.can_be_set = true});
    for (int64_t moment = 0; moment <= 120 * kSecond; moment += 33 * kMs) {
      const std::optional<int64_t> placed = map.convert(wall.at(moment));
      ASSERT_TRUE(placed) << moment;
      EXPECT_EQ(*placed, kBoot + moment);
      const bool is_near_step = moment > 50 * kSecond && moment < 60 * kSecond;
      EXPECT_LE(error.at(wall.at(moment)), is_near_step ? kMs : 50'000) << moment;
    }
  }
}

TEST(Reach, TheDriftOfOtherSegmentsShowsHowFarThatOfAShortOneCanBeTrusted) {
  // 20 ppm; the last segment has two observations.
  std::vector<Observation> seen;
  for (int64_t i = 0; i <= 10; ++i)
    seen.push_back({10 * i * kSecond, kBoot + 10 * i * (kSecond + 20'000), 1000});
  for (int64_t i = 11; i <= 12; ++i)
    seen.push_back({(10 * i - 600) * kSecond, kBoot + 10 * i * (kSecond + 20'000), 1000});
  const ErrorMap error = error_map_of(seen, ClockModel::Linear, {.can_be_set = true});
  EXPECT_LE(error.at(-485 * kSecond), 10'000);
  EXPECT_LE(error.at(55 * kSecond), 10'000);
}

// World A19: set back twice and forward once.
TEST(Reach, SeveralSteps) {
  const WallClock wall{{{31 * kSecond, -600 * kSecond},
                        {62 * kSecond, 200 * kSecond},
                        {93 * kSecond, -900 * kSecond}}};
  const std::vector<Observation> seen = wall.observed(120 * kSecond, 5 * kSecond);
  EXPECT_EQ(count_segments(seen), 3U);
  const ClockMap map = map_of(seen, ClockModel::Linear);
  for (int64_t moment = 0; moment <= 120 * kSecond; moment += 33 * kMs) {
    const std::optional<int64_t> placed = map.convert(wall.at(moment));
    ASSERT_TRUE(placed) << moment;
    // Nobody read the clock between 60 s and 65 s, when it was set forward.
    const bool is_near_step = moment > 60 * kSecond && moment < 65 * kSecond;
    if (!is_near_step) EXPECT_EQ(*placed, kBoot + moment);
  }
}

// World A18: set back by less than the trace lasts.
TEST(Reach, WhatTwoSegmentsReachIsRefused) {
  const WallClock wall{{{60'500 * kMs, -20 * kSecond}}};
  const std::vector<Observation> seen = wall.observed(120 * kSecond, kSecond);
  const ClockMap map = map_of(seen, ClockModel::Linear, kNoMargin);
  const ErrorMap error = error_map_of(seen, ClockModel::Linear, {.can_be_set = true}, kNoMargin);
  // The first segment reaches to 61 s, the second from 40 s.
  for (int64_t moment = 0; moment <= 120 * kSecond; moment += 33 * kMs) {
    const int64_t reading = wall.at(moment);
    if (reading < 39'900 * kMs || reading > 61'100 * kMs) {
      EXPECT_EQ(map.convert(reading), kBoot + moment);
      EXPECT_LE(error.at(reading), 50'000);
    } else if (reading > 40 * kSecond && reading < 61 * kSecond) {
      EXPECT_TRUE(map.is_refused(reading)) << reading;
      EXPECT_EQ(error.at(reading), kUnbounded);
    }
  }
  EXPECT_LE(error.worst(0, 100 * kSecond), kMs) << "of readings that have a place";
}

TEST(Reach, ReadingsBeyondAllSegmentsSaySoByTheirBound) {
  const WallClock wall{{{57'300 * kMs, -600 * kSecond}}};
  const std::vector<Observation> seen = wall.observed(120 * kSecond, 5 * kSecond);
  const ClockMap map = map_of(seen, ClockModel::Linear, kNoMargin);
  const ErrorMap error = error_map_of(seen, ClockModel::Linear, {.can_be_set = true}, kNoMargin);
  EXPECT_EQ(map.convert(100 * kSecond), kBoot + 100 * kSecond) << "by the nearest segment";
  EXPECT_GE(error.at(100 * kSecond), 39 * kSecond);
  EXPECT_EQ(map.convert(-400 * kSecond), kBoot + 200 * kSecond);
  EXPECT_GE(error.at(-400 * kSecond), 79 * kSecond);
}

}  // namespace
}  // namespace tracebraid
