#include "clock/error_map.h"

#include <gtest/gtest.h>

#include <random>

#include "clock/clock_key.h"

namespace tracebraid {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

// An observation every 10 s; both clocks show 0 at first, then the offset has the given values.
std::vector<Observation> offsets(const std::vector<int64_t>& us) {
  std::vector<Observation> all;
  for (size_t i = 0; i < us.size(); ++i) {
    const auto at = static_cast<int64_t>(i) * 10 * kSecond;
    all.push_back({at, at + us[i] * 1000, 1000});
  }
  return all;
}

TEST(ErrorMap, OneObservationIsGoodWhereItWasMade) {
  const ErrorMap map = error_map_of(offsets({0}), ClockModel::Linear, {});
  EXPECT_EQ(map.at(0), 1000);
  EXPECT_EQ(map.at(kSecond), 51'000);
  EXPECT_EQ(map.at(-kSecond), 51'000);
  EXPECT_EQ(map.worst(-kSecond, 2 * kSecond), 101'000);
  const ErrorMap alike = error_map_of(offsets({0}), ClockModel::Linear, {.unknown_ppb = 0});
  EXPECT_EQ(alike.at(1000 * kSecond), 1000);
}

TEST(ErrorMap, ASteadyDriftIsKnown) {
  const std::vector<Observation> steady = offsets({0, 200, 400, 600, 800, 1000});
  const ErrorMap linear = error_map_of(steady, ClockModel::Linear, {});
  EXPECT_EQ(linear.at(25 * kSecond), 1000);
  EXPECT_EQ(linear.at(60 * kSecond), 3000) << "how far off the drift of the last 10 s may be";
  const ErrorMap step = error_map_of(steady, ClockModel::Step, {});
  EXPECT_NEAR(static_cast<double>(step.at(25 * kSecond)), 101'000, 10);
  EXPECT_NEAR(static_cast<double>(step.at(60 * kSecond)), 203'000, 10);
}

TEST(ErrorMap, AJumpMayHaveBeenAnywhereBetween) {
  const std::vector<Observation> jumped = offsets({0, 0, 0, 50'000, 50'000, 50'000});
  const ErrorMap map = error_map_of(jumped, ClockModel::Linear, {});
  EXPECT_EQ(map.at(25 * kSecond), 50'001'000);
  EXPECT_EQ(map.at(15 * kSecond), 1000);
  EXPECT_EQ(map.at(35 * kSecond), 1000);
  EXPECT_EQ(map.worst(15 * kSecond, 35 * kSecond), 50'001'000);
}

TEST(ErrorMap, AClockThatWasSetBackShowedReadingsTwice) {
  const std::vector<Observation> set_back = offsets({0, 0, 0, 500'000, 500'000, 500'000});
  const ErrorMap map = error_map_of(set_back, ClockModel::Linear, {.can_be_set = true});
  EXPECT_EQ(map.at(25 * kSecond), 500'001'000);
  EXPECT_EQ(map.at(30 * kSecond + 499'000'000), 500'001'000);
  EXPECT_EQ(map.at(30 * kSecond + 501'000'000), 1000);
  // And afterwards, readings from before the last observation.
  EXPECT_EQ(map.at(20 * kSecond - 499'000'000), 500'001'000);
  EXPECT_EQ(map.at(20 * kSecond - 501'000'000), 1000);
  const ErrorMap stood_still = error_map_of(set_back, ClockModel::Linear, {});
  EXPECT_EQ(stood_still.at(30 * kSecond + 499'000'000), 1000);
}

TEST(ErrorMap, ASmallStepLooksLikeADriftOfItsOwn) {
  const std::vector<Observation> stepped = offsets({0, 0, 0, 2000, 2000, 2000});
  const ErrorMap map = error_map_of(stepped, ClockModel::Linear, {});
  EXPECT_GE(map.at(21 * kSecond), 2'000'000);
  EXPECT_LT(map.at(15 * kSecond), 10'000);
}

TEST(ErrorMap, ASlewThatBeginsBetween) {
  // Keeps the offset until 25 s, then gains 400 ppm: the line between 20 s and 30 s is off by 1 ms
  // there.
  const std::vector<Observation> slewed = offsets({0, 0, 0, 2000, 6000, 10'000});
  const ErrorMap map = error_map_of(slewed, ClockModel::Linear, {});
  EXPECT_GE(map.at(25 * kSecond), 1'000'000);
}

TEST(ErrorMap, AStatedLineIsAsGoodAsItsPoints) {
  const std::vector<Observation> line{{0, 0, 5},
                                      {kSecond, 2 * kSecond, 7},
                                      {2 * kSecond, 4 * kSecond, 3},
                                      {3 * kSecond, 6 * kSecond, 4}};
  const ErrorMap map = error_map_of(line, ClockModel::Stated, {});
  EXPECT_EQ(map.worst(-1000 * kSecond, 1000 * kSecond), 7);
  EXPECT_EQ(map.at(-kSecond), 7);
  EXPECT_EQ(map.at(2 * kSecond - 1), 7);
  EXPECT_EQ(map.at(2 * kSecond + 1), 4);
  EXPECT_EQ(map.at(9 * kSecond), 4);
}

TEST(ErrorMap, ExtremesDoNotOverflow) {
  const std::vector<Observation> extreme{{kLeast, kMost, kMost}, {kMost, kLeast, kMost}};
  for (const ClockModel model : {ClockModel::Step, ClockModel::Linear}) {
    const ErrorMap map = error_map_of(extreme, model, {kMost, true});
    EXPECT_EQ(map.worst(kLeast, kMost), kUnbounded);
  }
  EXPECT_EQ(ErrorMap{}.at(0), kUnbounded);
  EXPECT_EQ(error_map_of({}, ClockModel::Linear, {.unknown_ppb = 0}).worst(0, 1), kUnbounded);
}

TEST(ErrorMap, TheWorstIsThatOfSomeReading) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 100; ++round) {
    std::vector<Observation> seen;
    for (int64_t i = 0; i < 8; ++i)
      seen.push_back({i * 100, i * 100 + static_cast<int64_t>(random() % 50),
                      static_cast<int64_t>(random() % 20)});
    const ErrorMap map = error_map_of(seen, ClockModel::Step, {40'000'000});
    const auto first = static_cast<int64_t>(random() % 1000) - 100;
    const int64_t last = first + static_cast<int64_t>(random() % 300);
    int64_t worst = 0;
    for (int64_t reading = first; reading <= last; ++reading)
      worst = std::max(worst, map.at(reading));
    EXPECT_GE(map.worst(first, last), worst);
    EXPECT_LE(map.worst(first, last), worst + 12) << "but for the growth of one more reading";
  }
}

}  // namespace
}  // namespace tracebraid
