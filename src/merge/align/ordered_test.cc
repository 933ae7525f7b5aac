#include "merge/align/ordered.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "merge/align/test_seeds.h"

namespace tracebraid::align {
namespace {

using Random = std::mt19937_64;

double between(Random& random, double least, double most) {
  return std::uniform_real_distribution<double>(least, most)(random);
}

// Messages both ways between two clocks: theta(x) = offset + rate * x + bend * sin(x / 20 s).
struct World {
  double offset = 0, rate = 0, bend = 0;
  double least_ab = 0, least_ba = 0, tail = 0;  // delays, ns
  double span = 60e9, wrong = 0;                // ns; share of wrongly paired messages
  size_t messages = 200;
  bool both_ways = true;
  double wrong_by = 0;  // ns, at most; 0: half of the span

  double theta(double x) const { return offset + rate * x + bend * std::sin(x / 20e9); }
};

World draw(Random& random) {
  World world;
  world.offset = between(random, -1e12, 1e12);
  world.rate = between(random, -5e-5, 5e-5);
  world.least_ab = between(random, 50e3, 1e6);
  world.least_ba = between(random, 50e3, 1e6);
  world.tail = between(random, 10e3, 300e3);
  return world;
}

std::vector<Constraint> messages_of(const World& world, Random& random) {
  std::vector<Constraint> all;
  std::exponential_distribution<double> tail(1 / world.tail);
  for (size_t i = 0; i < world.messages; ++i) {
    const bool leads_to_b = !world.both_ways || i % 2 == 0;
    const double sent = between(random, 0, world.span);  // by clock A
    double delay = (leads_to_b ? world.least_ab : world.least_ba) + tail(random);
    const double wrong_by = world.wrong_by > 0 ? world.wrong_by : world.span / 2;
    if (between(random, 0, 1) < world.wrong) delay = between(random, -wrong_by, wrong_by);
    if (leads_to_b) {
      const double b = sent + world.theta(sent) + delay;
      all.push_back(effect_in_b(std::llround(sent), std::llround(b), 0, i));
    } else {
      const double b = sent + world.theta(sent);
      all.push_back(effect_in_a(std::llround(sent + delay), std::llround(b), 0, i));
    }
  }
  std::ranges::sort(all, {}, &Constraint::x);
  return all;
}

OrderedFit fit(const World& world, Random& random) {
  return fit_ordered(messages_of(world, random), {.last_x = std::llround(world.span)});
}

// The largest error and bound in the span, and the share of true values within the bound.
struct Errors {
  double worst = 0, bound = 0;
  size_t inside = 0, all = 0;
};
Errors errors_of(const World& world, const OrderedFit& fit) {
  Errors errors;
  for (int i = 0; i <= 100; ++i) {
    const double x = world.span * i / 100;
    const Knot knot = fit.at(std::llround(x));
    const double error = std::abs(knot.theta - world.theta(x));
    errors.worst = std::max(errors.worst, error);
    errors.bound = std::max(errors.bound, knot.bound_ns);
    errors.inside += error <= knot.bound_ns + 1 ? 1 : 0;
    ++errors.all;
  }
  return errors;
}

TEST(Ordered, MessagesBothWaysRelateClocks) {
  for (const uint64_t seed : test_seeds()) {
    Random random(seed);
    const World world = draw(random);
    const OrderedFit found = fit(world, random);
    ASSERT_EQ(found.reason, Reason::None) << seed;
    const Errors errors = errors_of(world, found);
    EXPECT_EQ(errors.inside, errors.all) << seed;
    const Knot middle = found.at(std::llround(world.span / 2));
    EXPECT_LE(std::abs(middle.theta - world.theta(world.span / 2)),
              std::abs(world.least_ab - world.least_ba) / 2 + 15e3)
        << seed;
    // A minute without a proof that the rates are constant adds up to 45 us.
    EXPECT_LE(middle.bound_ns, (world.least_ab + world.least_ba) / 2 + world.tail + 50e3) << seed;
  }
}

TEST(Ordered, WrongPairsAreLeftOut) {
  for (const uint64_t seed : test_seeds()) {
    Random random(seed);
    World world = draw(random);
    world.wrong = between(random, 0.05, 0.3);
    const OrderedFit found = fit(world, random);
    ASSERT_EQ(found.reason, Reason::None) << seed;
    const Errors errors = errors_of(world, found);
    EXPECT_EQ(errors.inside, errors.all) << seed;
    EXPECT_GT(std::ranges::count(found.is_outlier, true), 0) << seed;
  }
}

// Half of the wrong pairs end late enough to satisfy the place. By chance, more may do so.
TEST(Ordered, MostlyWrongPairsAreRefused) {
  for (const uint64_t seed : test_seeds(10)) {
    Random random(seed);
    World world = draw(random);
    world.wrong = between(random, 0.6, 0.9);
    EXPECT_EQ(fit(world, random).reason, Reason::Inconsistent) << seed << " " << world.wrong;
  }
}

// A third of wrong pairs, and delays that differ widely, do not hide the place.
TEST(Ordered, AThirdOfWrongPairsIsNotTooMany) {
  for (const uint64_t seed : test_seeds(10)) {
    Random random(seed);
    World world = draw(random);
    world.tail = between(random, 1e6, 300e6);
    world.wrong = between(random, 0, 0.35);
    EXPECT_EQ(fit(world, random).reason, Reason::None) << seed << " " << world.wrong;
  }
}

TEST(Ordered, ClocksThatWanderGetSeveralLines) {
  for (const uint64_t seed : test_seeds()) {
    Random random(seed);
    World world = draw(random);
    world.span = 200e9;
    world.messages = 2000;
    world.bend = 100e3;  // 5 ppm
    const OrderedFit found = fit(world, random);
    ASSERT_EQ(found.reason, Reason::None) << seed;
    const Errors errors = errors_of(world, found);
    EXPECT_EQ(errors.inside, errors.all) << seed;
    EXPECT_GT(found.knots.size(), 10U);
  }
}

// Of many wrong pairs, some are wrong by so little that they agree with their window.
TEST(Ordered, ManyMessagesWithWrongPairsRelateClocks) {
  for (const uint64_t seed : test_seeds()) {
    Random random(seed);
    World world = draw(random);
    world.span = 600e9;
    world.messages = 300'000;
    world.bend = 100e3;
    world.wrong = seed % 2 == 0 ? 0 : between(random, 0.02, 0.2);
    world.wrong_by = 1e9;
    world.tail = 20e3;
    const OrderedFit found = fit(world, random);
    ASSERT_EQ(found.reason, Reason::None) << seed;
    const Errors errors = errors_of(world, found);
    EXPECT_EQ(errors.inside, errors.all) << seed;
    EXPECT_LE(errors.bound, (world.least_ab + world.least_ba) / 2 + 60e3) << seed;
    EXPECT_EQ(found.used + static_cast<size_t>(std::ranges::count(found.is_outlier, true)),
              world.messages);
  }
}

TEST(Ordered, RecordingsOfDifferentMomentsAreRefused) {
  for (const uint64_t seed : test_seeds(20)) {
    Random random(seed);
    World world = draw(random);
    world.messages = static_cast<size_t>(between(random, 8, 200));
    world.wrong = 1;
    EXPECT_NE(fit(world, random).reason, Reason::None) << seed;
  }
}

TEST(Ordered, OneDirectionIsRefused) {
  Random random(1);
  World world = draw(random);
  world.both_ways = false;
  EXPECT_EQ(fit(world, random).reason, Reason::OneSided);
}

TEST(Ordered, TooFewAreRefused) {
  EXPECT_EQ(fit_ordered({}, {}).reason, Reason::TooFew);
  const std::vector<Constraint> one{effect_in_b(0, 5, 0)};
  EXPECT_EQ(fit_ordered(one, {}).reason, Reason::TooFew);
}

TEST(Ordered, FewAreProvenByTheirIds) {
  Random random(1);
  World world = draw(random);
  world.messages = 8;
  const std::vector<Constraint> all = messages_of(world, random);
  EXPECT_EQ(fit_ordered(all, {}).reason, Reason::TooFew);
  EXPECT_EQ(fit_ordered(all, {.are_pairs_certain = true}).reason, Reason::None);
}

TEST(Ordered, EqualReadingsHaveABound) {
  std::vector<Constraint> all;
  for (int i = 0; i < 16; ++i) {
    all.push_back(effect_in_b(0, 100, 0));
    all.push_back(effect_in_a(0, -100, 0));
  }
  const OrderedFit found = fit_ordered(all, {});
  ASSERT_EQ(found.reason, Reason::None);
  EXPECT_GE(found.at(0).bound_ns, 100);
  EXPECT_NEAR(found.at(0).theta, 0, 1);
}

}  // namespace
}  // namespace tracebraid::align
