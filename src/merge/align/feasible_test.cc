#include "merge/align/feasible.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

namespace tracebraid::align {
namespace {

using Random = std::mt19937_64;

double uniform(Random& random, double least, double most) {
  return std::uniform_real_distribution<double>(least, most)(random);
}

// The corners of the polygon by brute force: every pair of limits, checked against all limits.
struct Limit {
  double x, y;
  bool is_high;
};
std::vector<Line> brute_corners(const std::vector<Constraint>& constraints, double steepest) {
  std::vector<Limit> limits;
  for (const Constraint& c : constraints) {
    const auto x = static_cast<double>(c.x);
    if (c.has_high()) limits.push_back({x, static_cast<double>(c.high), true});
    if (c.has_low()) limits.push_back({x, static_cast<double>(c.low), false});
  }
  std::vector<Line> candidates;
  const auto add = [&](const Limit& limit, double beta) {
    candidates.push_back({limit.y - beta * limit.x, beta});
  };
  for (const Limit& a : limits) {
    add(a, steepest);
    add(a, -steepest);
    for (const Limit& b : limits)
      if (a.x != b.x) add(a, (b.y - a.y) / (b.x - a.x));
  }
  std::erase_if(candidates, [&](const Line& line) {
    return std::abs(line.beta) > steepest * (1 + 1e-9) ||
           std::ranges::any_of(limits, [&](const Limit& limit) {
             return limit.is_high ? line.at(limit.x) > limit.y + 1e-3
                                  : line.at(limit.x) < limit.y - 1e-3;
           });
  });
  return candidates;
}

TEST(FeasibleLines, BandIsThatOfBruteForce) {
  Random random(7);
  size_t feasible = 0, infeasible = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<Constraint> constraints;
    const int count = 2 + static_cast<int>(random() % 10);
    for (int i = 0; i < count; ++i) {
      const auto x = static_cast<int64_t>(uniform(random, 0, 1e6));
      const auto y = static_cast<int64_t>(uniform(random, -50, 150));
      constraints.push_back(i % 2 == 0 ? effect_in_b(x, x + 100 + y, 0)
                                       : effect_in_a(x, x - 50 + y, 0));
    }
    const std::optional<FeasibleLines> lines = feasible_lines(constraints, kSteepest);
    const std::vector<Line> corners = brute_corners(constraints, kSteepest);
    ASSERT_EQ(lines.has_value(), !corners.empty()) << round;
    ++(lines ? feasible : infeasible);
    if (!lines) continue;
    for (const double x : {-1e6, 0.0, 3e5, 1e6, 5e6}) {
      const auto [low, high] =
          std::ranges::minmax_element(corners, {}, [&](const Line& line) { return line.at(x); });
      const Band band = lines->band(x);
      EXPECT_NEAR(band.low, low->at(x), 0.1) << round;
      EXPECT_NEAR(band.high, high->at(x), 0.1) << round;
      EXPECT_LE(band.low, lines->middle().at(x) + 1e-3);
      EXPECT_GE(band.high, lines->middle().at(x) - 1e-3);
    }
  }
  EXPECT_GT(feasible, 200U);
  EXPECT_GT(infeasible, 100U);
}

TEST(FeasibleLines, OneSidedConstraintsGiveNothing) {
  EXPECT_FALSE(
      feasible_lines(std::vector{effect_in_b(0, 10, 0), effect_in_b(5, 20, 0)}, kSteepest));
  EXPECT_FALSE(feasible_lines({}, kSteepest));
}

TEST(FeasibleLines, OneMatchEachWayIsBoundedByTheRate) {
  const auto lines =
      feasible_lines(std::vector{effect_in_b(0, 100, 0), effect_in_a(0, 40, 0)}, 1e-4);
  ASSERT_TRUE(lines);
  EXPECT_DOUBLE_EQ(lines->middle().at(0), 70);
  EXPECT_DOUBLE_EQ(lines->bound(lines->middle(), 0), 30);
  EXPECT_DOUBLE_EQ(lines->bound(lines->middle(), 1e6), 30 + 100);
}

TEST(FeasibleLines, EqualReadingsOfAllMatches) {
  const std::vector<Constraint> same(5, equality(1000, 1500, 10));
  const auto lines = feasible_lines(same, 1e-4);
  ASSERT_TRUE(lines);
  EXPECT_NEAR(lines->middle().at(1000), 500, 1e-6);
  EXPECT_NEAR(lines->bound(lines->middle(), 1000), 10, 1e-6);
}

// Messages both ways between drifting clocks: the truth is inside the band, and the middle is off
// by no more than half the difference of the least delays and what their tails hide.
TEST(FeasibleLines, SimulatedMessagesBothWays) {
  Random random(11);
  constexpr double kSpan = 60e9, kTail = 10e3;
  size_t inside = 0, all = 0;
  for (int round = 0; round < 100; ++round) {
    const Line truth{uniform(random, -1e9, 1e9), uniform(random, -5e-5, 5e-5)};
    const double d1 = uniform(random, 5e3, 200e3), d2 = uniform(random, 5e3, 200e3);
    std::exponential_distribution<double> tail(1 / kTail);
    std::vector<Constraint> constraints;
    for (int i = 0; i < 400; ++i) {
      const double a = uniform(random, 0, kSpan);
      const bool to_b = i % 2 == 0;
      const double delay = (to_b ? d1 : d2) + tail(random);
      const double b = a + truth.at(a) + (to_b ? delay : -delay);
      const auto x = static_cast<int64_t>(a), y = static_cast<int64_t>(b);
      constraints.push_back(to_b ? effect_in_b(x, y, 0) : effect_in_a(x, y, 0));
    }
    const auto lines = feasible_lines(constraints, kSteepest);
    ASSERT_TRUE(lines);
    for (double x = 0; x <= kSpan; x += kSpan / 20) {
      const double error = std::abs(lines->middle().at(x) - truth.at(x));
      ++all;
      inside += error <= lines->bound(lines->middle(), x) ? 1 : 0;
      EXPECT_LE(error, std::abs(d1 - d2) / 2 + 15e3);
      EXPECT_LE(lines->bound(lines->middle(), x), (d1 + d2) / 2 + 25e3);
    }
  }
  EXPECT_EQ(inside, all);
}

}  // namespace
}  // namespace tracebraid::align
