// Wall clocks that were set or slewed are taken out of content.
#include "merge/align/steady.h"

#include <gtest/gtest.h>

#include <vector>

namespace tracebraid::align {
namespace {

constexpr int64_t kSecond = 1'000'000'000, kWall = 1'700'000'000 * kSecond;

// Snapshots at each second of a wall clock that is `off(second)` ns ahead.
template <class Off>
SteadyMap map_of_seconds(int count, Off off) {
  std::vector<Observation> seen;
  for (int i = 0; i < count; ++i)
    seen.push_back(
        {.from = kWall + i * kSecond + off(i), .to = i * kSecond, .uncertainty_ns = 1000});
  return SteadyMap(seen);
}

TEST(Steady, EvenClocksRemain) {
  EXPECT_FALSE(SteadyMap({}).was_adjusted());
  EXPECT_FALSE(SteadyMap({}).convert(0));
  // 50 ppm.
  EXPECT_FALSE(map_of_seconds(10, [](int i) { return i * int64_t{50'000}; }).was_adjusted());
}

TEST(Steady, AStepForwardIsTakenOut) {
  const SteadyMap map = map_of_seconds(10, [](int i) { return i < 5 ? int64_t{0} : 20 * kSecond; });
  ASSERT_TRUE(map.was_adjusted());
  EXPECT_EQ(map.convert(kWall + kSecond * 3 / 2), kSecond * 3 / 2);
  EXPECT_EQ(map.convert(kWall + 27 * kSecond), 7 * kSecond);
  // The clock was set some time within this second.
  EXPECT_FALSE(map.convert(kWall + kSecond * 9 / 2));
  EXPECT_FALSE(map.convert(kWall + 20 * kSecond + kSecond * 9 / 2));
  EXPECT_FALSE(map.convert(kWall + 15 * kSecond));
  EXPECT_FALSE(map.convert(kWall - 1));
  EXPECT_FALSE(map.convert(kWall + 40 * kSecond));
}

TEST(Steady, ReadingsThatWereShownTwiceAreRefused) {
  const SteadyMap map =
      map_of_seconds(20, [](int i) { return i < 10 ? int64_t{0} : -3 * kSecond; });
  ASSERT_TRUE(map.was_adjusted());
  EXPECT_EQ(map.convert(kWall + 2 * kSecond), 2 * kSecond);
  EXPECT_FALSE(map.convert(kWall + 8 * kSecond));
  EXPECT_EQ(map.convert(kWall + 14 * kSecond), 17 * kSecond);
}

TEST(Steady, ASlewIsTakenOut) {
  // 400 ppm from the tenth second on.
  const SteadyMap map =
      map_of_seconds(20, [](int i) { return i < 10 ? 0 : (i - 10) * int64_t{400'000}; });
  ASSERT_TRUE(map.was_adjusted());
  const std::optional<int64_t> at =
      map.convert(kWall + 15 * kSecond + 200'000 + kSecond / 2 + 2'000'000);
  ASSERT_TRUE(at);
  EXPECT_NEAR(static_cast<double>(*at), 15.5e9, 1e3);
}

TEST(Steady, EndsOf64BitsAreNoProblem) {
  const std::vector<Observation> seen{
      {INT64_MIN, INT64_MAX, 0}, {INT64_MAX, INT64_MIN, 0}, {0, 0, 0}, {INT64_MAX, INT64_MAX, 0}};
  const SteadyMap map(seen);
  for (const int64_t at : {INT64_MIN, INT64_MIN + 1, int64_t{0}, INT64_MAX}) map.convert(at);
}

}  // namespace
}  // namespace tracebraid::align
