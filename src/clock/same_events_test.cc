#include "clock/same_events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace tracebraid {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

struct Seen {
  std::vector<Sighting> a, b;
};

// Events about 1 ms apart. The second clock shows 5 s plus `rate` times the first one; readings of
// either may be late by up to `late`.
Seen things(size_t count, double rate, int64_t late) {
  std::mt19937_64 random(7);
  Seen seen;
  int64_t now = 100 * kSecond;
  for (size_t i = 0; i < count; ++i) {
    now += static_cast<int64_t>(random() % 2'000'000);
    const auto delay = [&] { return static_cast<int64_t>(random() % static_cast<uint64_t>(late)); };
    seen.a.push_back({1000 + i, now + delay()});
    seen.b.push_back(
        {1000 + i, 5 * kSecond + std::llround(rate * static_cast<double>(now)) + delay()});
  }
  return seen;
}

int64_t on_line(const SameEvents& same, int64_t reading) {
  return *map_of(same.points, ClockModel::Stated).convert(reading);
}

TEST(SameEvents, ClocksThatAreApart) {
  const Seen seen = things(5000, 1, 2000);
  const auto same = match_events(seen.a, seen.b);
  ASSERT_TRUE(same);
  EXPECT_GE(same->matched, 4990U);
  const int64_t bound = same->points.front().uncertainty_ns;
  EXPECT_LE(bound, 4000);
  for (const Sighting& sighting : {seen.a.front(), seen.a[2500], seen.a.back()})
    EXPECT_NEAR(static_cast<double>(on_line(*same, sighting.reading)),
                static_cast<double>(sighting.reading + 5 * kSecond), static_cast<double>(bound));
}

TEST(SameEvents, AClockThatCountsCyclesAndOneThatDrifts) {
  for (const double rate : {2.000000008, 0.024, 1.0001}) {
    const Seen seen = things(5000, rate, 2000);
    const auto same = match_events(seen.a, seen.b);
    ASSERT_TRUE(same) << rate;
    const Sighting& late = seen.a[4800];
    EXPECT_NEAR(static_cast<double>(on_line(*same, late.reading)),
                5e9 + rate * static_cast<double>(late.reading), 5000)
        << rate;
  }
}

TEST(SameEvents, WhatHappensTwiceSaysNothing) {
  Seen seen = things(400, 1, 2000);
  for (Sighting& sighting : seen.b) sighting.what %= 90;
  for (Sighting& sighting : seen.a) sighting.what %= 90;
  EXPECT_FALSE(match_events(seen.a, seen.b));
  EXPECT_FALSE(match_events({}, seen.b));
}

TEST(SameEvents, AFewThatOnlyLookAlikeDoNoHarm) {
  Seen seen = things(2000, 1, 2000);
  for (size_t i = 0; i < 2000; i += 40) seen.b[i].reading = seen.b[(i * 7 + 13) % 2000].reading;
  const auto same = match_events(seen.a, seen.b);
  ASSERT_TRUE(same);
  EXPECT_LE(same->points.front().uncertainty_ns, 4000);
}

TEST(SameEvents, AnotherOrderIsAnotherRecording) {
  Seen seen = things(2000, 1, 2000);
  std::mt19937_64 random(3);
  std::ranges::shuffle(seen.b, random);
  for (size_t i = 0; i < seen.b.size(); ++i) seen.b[i].what = 1000 + i;
  EXPECT_FALSE(match_events(seen.a, seen.b));
}

TEST(SameEvents, ReadingsThatLieTooFarApartForALine) {
  Seen seen = things(300, 1, 2000);
  for (Sighting& sighting : seen.b)
    sighting.reading += static_cast<int64_t>(sighting.what * 7919 % 100) * 20'000'000;
  EXPECT_FALSE(match_events(seen.a, seen.b));
}

TEST(SameEvents, ReadingsAtTheEndsOfTheRange) {
  Seen seen = things(300, 1, 2000);
  seen.a.front().reading = seen.b.front().reading = INT64_MIN;
  seen.a.back().reading = seen.b.back().reading = INT64_MAX;
  EXPECT_FALSE(match_events(seen.a, seen.b));
}

}  // namespace
}  // namespace tracebraid
