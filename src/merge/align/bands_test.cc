#include "merge/align/bands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace tracebraid::align {
namespace {

// Constraints of messages both ways that take 100 us and more, between clocks that differ by
// theta(x).
template <class Theta>
std::vector<Constraint> messages(size_t count, double span, Theta theta) {
  std::mt19937_64 random(1);
  std::exponential_distribution<double> late(1 / 10e3);
  std::vector<Constraint> all;
  for (size_t i = 0; i < count; ++i) {
    const auto x = static_cast<int64_t>(span * static_cast<double>(i) / static_cast<double>(count));
    const double takes = 100e3 + late(random);
    const auto other = x + std::llround(theta(static_cast<double>(x)));
    const auto delay = std::llround(takes);
    all.push_back(i % 2 == 0 ? effect_in_b(x, other + delay, 0) : effect_in_a(x, other - delay, 0));
  }
  return all;
}

TEST(Bands, TruthIsInTheBoundBetweenAllKnots) {
  const auto theta = [](double x) { return 5e6 * std::sin(x / 100e9); };  // up to 50 ppm
  const std::vector<Constraint> all = messages(6000, 600e9, theta);
  const auto knots = knots_of_bands(all, {.wander = 5e-16, .first_x = -1'000'000'000, .last_x = 0});
  ASSERT_GT(knots.size(), 20U);
  EXPECT_TRUE(std::ranges::is_sorted(knots, {}, &Knot::x));
  double widest = 0;
  for (int64_t x = 0; x < 599'000'000'000; x += 100'000'000) {
    const Knot at = knot_at(knots, x);
    EXPECT_LE(std::abs(at.theta - theta(static_cast<double>(x))), at.bound_ns) << x;
    if (x > 5'000'000'000 && x < 594'000'000'000) widest = std::max(widest, at.bound_ns);
  }
  EXPECT_LE(widest, 140e3);
  EXPECT_GE(widest, 100e3);
}

TEST(Bands, ManyConstraintsAreThinnedWithoutHarm) {
  const auto theta = [](double x) { return 1e-5 * x; };
  const std::vector<Constraint> all = messages(200'000, 60e9, theta);
  for (const Knot& knot : knots_of_bands(all, {.wander = 2e-17})) {
    const double error = std::abs(knot.theta - theta(static_cast<double>(knot.x)));
    EXPECT_LE(error, knot.bound_ns);
    EXPECT_LE(error, 10e3);
    EXPECT_LE(knot.bound_ns, 125e3);
  }
}

TEST(Bands, NoLineGivesNoKnots) {
  EXPECT_TRUE(knots_of_bands({}, {}).empty());
  std::vector<Constraint> one_way;
  for (int64_t x = 0; x < 20; ++x) one_way.push_back(effect_in_b(x, x + 5, 0));
  EXPECT_TRUE(knots_of_bands(one_way, {}).empty());
  std::vector<Constraint> opposed;
  for (int64_t x = 0; x < 20; ++x)
    opposed.push_back(x % 2 == 0 ? effect_in_b(x, x, 0) : effect_in_a(x, x, 500));
  EXPECT_TRUE(knots_of_bands(opposed, {}).empty());
}

TEST(Bands, EqualReadingsHaveTwoKnots) {
  std::vector<Constraint> equal;
  for (int i = 0; i < 20; ++i)
    equal.push_back(i % 2 == 0 ? effect_in_b(7, 107, 0) : effect_in_a(7, -93, 0));
  const auto knots = knots_of_bands(equal, {.first_x = 7, .last_x = 7});
  ASSERT_EQ(knots.size(), 2U);
  EXPECT_LT(knots[0].x, knots[1].x);
  EXPECT_EQ(knots[0].bound_ns, 100);
}

}  // namespace
}  // namespace tracebraid::align
