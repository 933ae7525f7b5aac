#include "clock/rounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tracebraid {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// Rounds every second on a line of 20 ppm. The error of each is a part of its duration.
std::vector<Observation> noisy(size_t count, std::mt19937_64& random) {
  std::vector<Observation> rounds;
  for (size_t i = 0; i < count; ++i) {
    const auto at = static_cast<int64_t>(i) * kSecond;
    const auto delay = static_cast<int64_t>(random() % 400'000);
    const int64_t off = (random() % 2 == 0 ? 1 : -1) * delay / 2;
    rounds.push_back({at, at + at / 50'000 + off, 50'000 + delay / 2});
  }
  return rounds;
}

int64_t truth(int64_t at) { return at + at / 50'000; }

TEST(Rounds, ALineIsNearerThanTheRounds) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20; ++round) {
    const std::vector<Observation> rounds = noisy(60, random);
    const std::vector<Observation> fitted = fit_rounds(rounds);
    ASSERT_FALSE(fitted.empty());
    EXPECT_LT(fitted.size(), rounds.size());
    for (const Observation& o : fitted) {
      EXPECT_LT(std::abs(o.to - truth(o.from)), 30'000);
      EXPECT_LE(std::abs(o.to - truth(o.from)), o.uncertainty_ns);
    }
  }
}

TEST(Rounds, AStepBreaksTheLine) {
  std::mt19937_64 random(2);
  std::vector<Observation> rounds = noisy(40, random);
  for (size_t i = 20; i < rounds.size(); ++i) rounds[i].to += 10'000'000;
  for (const Observation& o : fit_rounds(rounds)) {
    const int64_t step = o.from >= rounds[20].from ? 10'000'000 : 0;
    EXPECT_LE(std::abs(o.to - truth(o.from) - step), 250'000) << o.from;
  }
}

TEST(Rounds, FewAreKeptAsTheyAre) {
  std::mt19937_64 random(3);
  const std::vector<Observation> rounds = noisy(3, random);
  const std::vector<Observation> fitted = fit_rounds(rounds);
  ASSERT_EQ(fitted.size(), 3U);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(fitted[i].to, rounds[i].to);
}

TEST(Rounds, ALongOneNextToAShortOneIsWorthless) {
  const std::vector<Observation> rounds{
      {0, 0, 100}, {1000, 1000, 150}, {2000, 2000, 5000}, {3000, 3000, 199}};
  const std::vector<Observation> kept = without_outliers(rounds);
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_EQ(kept[2].from, 3000);
  // After an hour the clocks may differ by more than those bounds.
  const std::vector<Observation> later{{0, 0, 100}, {3600 * kSecond, 3600 * kSecond, 5000}};
  EXPECT_EQ(without_outliers(later).size(), 2U);
}

TEST(Rounds, ExtremesDoNotOverflow) {
  constexpr int64_t kMost = INT64_MAX, kLeast = INT64_MIN;
  std::mt19937_64 random(4);
  const int64_t values[] = {kMost, kLeast, 0, 1, -1};
  for (int round = 0; round < 300; ++round) {
    std::vector<Observation> rounds;
    for (int i = 0; i < 12; ++i)
      rounds.push_back({values[random() % 5], values[random() % 5],
                        random() % 2 == 0 ? kMost : static_cast<int64_t>(random() % 100)});
    EXPECT_LE(fit_rounds(without_outliers(rounds)).size(), 24U);
  }
}

}  // namespace
}  // namespace tracebraid
