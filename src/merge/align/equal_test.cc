#include "merge/align/equal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace tracebraid::align {
namespace {

using Random = std::mt19937_64;

double uniform(Random& random, double least, double most) {
  return std::uniform_real_distribution<double>(least, most)(random);
}

// Moments of two clocks whose truth is theta(x), with ends late by up to `jitter` on each side.
std::vector<Moment> moments_of(const std::function<double(double)>& theta, size_t count,
                               double span, double jitter, Random& random) {
  std::vector<Moment> moments;
  for (size_t i = 0; i < count; ++i) {
    const double at = span * static_cast<double>(i) / static_cast<double>(count);
    const double late_a = uniform(random, 0, jitter), late_b = uniform(random, 0, jitter);
    moments.push_back(
        {static_cast<int64_t>(at + late_a), static_cast<int64_t>(theta(at) + late_b - late_a)});
  }
  std::ranges::sort(moments, {}, &Moment::x);
  return moments;
}

TEST(FitEqual, TruthLiesWithinTheBound) {
  Random random(3);
  size_t inside = 0, all = 0;
  for (int round = 0; round < 200; ++round) {
    const Line truth{uniform(random, -1e9, 1e9), uniform(random, -5e-5, 5e-5)};
    const double jitter = uniform(random, 2e3, 50e3), span = 30e9;
    const auto count = static_cast<size_t>(uniform(random, 200, 2000));
    const std::vector<Moment> moments =
        moments_of([&](double x) { return truth.at(x); }, count, span, jitter, random);
    const EqualFit fit = fit_equal(
        moments, {.floor_ns = 10'000, .first_x = -1'000'000'000, .last_x = 40'000'000'000});
    ASSERT_EQ(fit.reason, Reason::None) << round;
    double worst = 0;
    for (double x = -1e9; x <= 40e9; x += 1e9) {
      const Knot knot = fit.at(static_cast<int64_t>(x));
      const double error = std::abs(knot.theta - truth.at(x));
      ++all;
      inside += error <= knot.bound_ns ? 1 : 0;
      if (x >= 0 && x <= span) worst = std::max(worst, error);
    }
    EXPECT_LE(worst, jitter / 2);
    EXPECT_LE(fit.tolerance_ns, 3 * jitter + 15e3);
  }
  EXPECT_GE(static_cast<double>(inside), 0.999 * static_cast<double>(all));
}

TEST(FitEqual, ManyMomentsKeepTheirBoundNearBothEnds) {
  Random random(4);
  const Line truth{1e6, 3e-5};
  const std::vector<Moment> moments =
      moments_of([&](double x) { return truth.at(x); }, 5000, 30e9, 20e3, random);
  const EqualFit fit =
      fit_equal(moments, {.floor_ns = 5'000, .first_x = -1'000'000'000, .last_x = 31'000'000'000});
  ASSERT_EQ(fit.reason, Reason::None);
  for (const int64_t x : {int64_t{-1'000'000'000}, int64_t{31'000'000'000}}) {
    EXPECT_LE(fit.at(x).bound_ns, 2 * fit.tolerance_ns);
    EXPECT_LE(std::abs(fit.at(x).theta - truth.at(static_cast<double>(x))), fit.at(x).bound_ns);
  }
}

TEST(FitEqual, FewMomentsKeepAnHonestBound) {
  Random random(5);
  size_t inside = 0, all = 0;
  for (int round = 0; round < 5000; ++round) {
    const Line truth{uniform(random, -1e9, 1e9), uniform(random, -5e-5, 5e-5)};
    const double jitter = uniform(random, 2e3, 50e3);
    const auto count = static_cast<size_t>(uniform(random, 3, 20));
    const EqualFit fit =
        fit_equal(moments_of([&](double x) { return truth.at(x); }, count, 10e9, jitter, random),
                  {.floor_ns = 10'000, .last_x = 10'000'000'000});
    if (fit.reason != Reason::None) continue;
    for (double x = 0; x <= 10e9; x += 1e9) {
      const Knot knot = fit.at(static_cast<int64_t>(x));
      ++all;
      inside += std::abs(knot.theta - truth.at(x)) <= knot.bound_ns ? 1 : 0;
    }
  }
  EXPECT_GT(all, 40'000U);
  EXPECT_GE(static_cast<double>(inside), 0.999 * static_cast<double>(all));
}

TEST(FitEqual, ClocksWhoseRateChangesGetSeveralLines) {
  Random random(9);
  const auto truth = [](double x) { return 2e5 * std::sin(x / 60e9); };
  const std::vector<Moment> moments = moments_of(truth, 4000, 400e9, 5e3, random);
  const EqualFit fit = fit_equal(moments, {.floor_ns = 10'000, .last_x = 400'000'000'000});
  ASSERT_EQ(fit.reason, Reason::None);
  EXPECT_GT(fit.knots.size(), 4U);
  EXPECT_LT(fit.tolerance_ns, 30e3);
  for (double x = 0; x <= 399e9; x += 1e9) {
    const Knot knot = fit.at(static_cast<int64_t>(x));
    EXPECT_LE(std::abs(knot.theta - truth(x)), knot.bound_ns) << x;
  }
}

TEST(FitEqual, ManyMomentsGetTheLinesOfFew) {
  Random random(10);
  const auto truth = [](double x) { return 2e5 * std::sin(x / 60e9); };
  const EqualOptions options{.floor_ns = 10'000, .last_x = 400'000'000'000};
  const EqualFit few = fit_equal(moments_of(truth, 40'000, 400e9, 30e3, random), options);
  const std::vector<Moment> moments = moments_of(truth, 300'000, 400e9, 30e3, random);
  const EqualFit fit = fit_equal(moments, options);
  ASSERT_EQ(fit.reason, Reason::None);
  EXPECT_EQ(fit.knots.size(), few.knots.size());
  EXPECT_EQ(fit.used, moments.size());
  EXPECT_NEAR(fit.tolerance_ns, few.tolerance_ns, 0.1 * few.tolerance_ns);
  for (double x = 0; x <= 399e9; x += 1e9) {
    const Knot knot = fit.at(static_cast<int64_t>(x));
    EXPECT_LE(std::abs(knot.theta - truth(x)), knot.bound_ns) << x;
  }
}

TEST(FitEqual, WrongMomentsAreOutliers) {
  Random random(13);
  std::vector<Moment> moments =
      moments_of([](double x) { return 5e8 + 2e-5 * x; }, 1000, 20e9, 10e3, random);
  for (size_t i = 0; i < moments.size(); i += 7)
    moments[i].y += 3'000'000 * static_cast<int64_t>(i % 5 + 1);
  const EqualFit fit = fit_equal(moments, {.floor_ns = 10'000});
  ASSERT_EQ(fit.reason, Reason::None);
  for (size_t i = 0; i < moments.size(); ++i) EXPECT_EQ(fit.is_outlier[i], i % 7 == 0) << i;
  EXPECT_NEAR(fit.at(10'000'000'000).theta, 5e8 + 2e5, 5e3);
}

TEST(FitEqual, Refusals) {
  Random random(17);
  const auto reason = [](const std::vector<Moment>& moments) {
    return fit_equal(moments, {.floor_ns = 10'000}).reason;
  };
  const auto moments = [&](double rate, size_t count) {
    return moments_of([&](double x) { return rate * x; }, count, 10e9, 10e3, random);
  };
  EXPECT_EQ(reason({}), Reason::TooFew);
  EXPECT_EQ(reason(moments(0, 2)), Reason::TooFew);
  EXPECT_EQ(reason(moments(5e-4, 500)), Reason::Rate);
  EXPECT_EQ(reason(moments(1e-4, 500)), Reason::None);
  // Two runs of one program: steps drift apart by milliseconds.
  double walk = 0;
  std::vector<Moment> other_run = moments(0, 500);
  for (Moment& moment : other_run)
    moment.y += static_cast<int64_t>(walk += uniform(random, -3e6, 3e6));
  const Reason why = reason(other_run);
  EXPECT_TRUE(why == Reason::Inconsistent || why == Reason::Rate);
  std::vector<Moment> half = moments(0, 500);
  for (size_t i = 0; i < half.size(); ++i)
    if (i % 5 < 2) half[i].y += static_cast<int64_t>(uniform(random, -1e9, 1e9));
  EXPECT_EQ(reason(half), Reason::Inconsistent);
  EXPECT_EQ(reason(std::vector<Moment>(5, {1000, 77})), Reason::None);  // one reading
}

}  // namespace
}  // namespace tracebraid::align
