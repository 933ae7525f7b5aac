// Fuzzes the fits of two clocks to constraints and moments. Compares feasible lines of small sets
// with all corners of their polygon, in rationals, and checks what any fit promises.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/assert.h"
#include "fuzz/fuzzed_bytes.h"
#include "merge/align/equal.h"
#include "merge/align/feasible.h"
#include "merge/align/ordered.h"

namespace tracebraid::align {
namespace {

constexpr size_t kMostCompared = 8;       // constraints
constexpr int64_t kSteepestParts = 4096;  // the steepest line: 1 / this
constexpr double kTolerance = 1e-3;       // ns

// A corner of the polygon: alpha and beta have one denominator.
struct Corner {
  __int128 alpha, beta, under;

  // Whether alpha + beta * x >= value, and <= value.
  bool is_above(int64_t x, int64_t value) const { return alpha + beta * x >= value * under; }
  bool is_below(int64_t x, int64_t value) const { return alpha + beta * x <= value * under; }
  double at(double x) const {
    return (static_cast<double>(alpha) + static_cast<double>(beta) * x) /
           static_cast<double>(under);
  }
};

std::vector<Corner> corners_of(const std::vector<Constraint>& all, int64_t slack) {
  struct Edge {
    int64_t x, value;
  };
  std::vector<Edge> edges;
  for (const Constraint& c : all) {
    if (c.has_low()) edges.push_back({c.x, c.low - slack});
    if (c.has_high()) edges.push_back({c.x, c.high + slack});
  }
  std::vector<Corner> corners;
  const auto add = [&](Corner corner) {
    if (corner.under < 0) corner = {-corner.alpha, -corner.beta, -corner.under};
    const __int128 steep = corner.beta < 0 ? -corner.beta : corner.beta;
    if (steep * kSteepestParts > corner.under) return;
    for (const Constraint& c : all)
      if ((c.has_low() && !corner.is_above(c.x, c.low - slack)) ||
          (c.has_high() && !corner.is_below(c.x, c.high + slack)))
        return;
    corners.push_back(corner);
  };
  for (const Edge& a : edges) {
    for (const int64_t sign : {-1, 1})
      add({__int128{a.value} * kSteepestParts - sign * __int128{a.x}, sign, kSteepestParts});
    for (const Edge& b : edges) {
      if (a.x == b.x) continue;
      const __int128 run = __int128{a.x} - b.x, rise = __int128{a.value} - b.value;
      add({a.value * run - rise * a.x, rise, run});
    }
  }
  return corners;
}

void compare_with_corners(const std::vector<Constraint>& all) {
  const bool has_both = std::ranges::any_of(all, &Constraint::has_low) &&
                        std::ranges::any_of(all, &Constraint::has_high);
  const auto lines = feasible_lines(all, 1.0 / static_cast<double>(kSteepestParts));
  TB_ASSERT(!lines || has_both);
  if (!has_both) return;
  // A polygon that 1 ns more makes empty, or less makes not, may be rounded to either.
  if (corners_of(all, 1).empty()) TB_ASSERT(!lines);
  if (!corners_of(all, -1).empty()) TB_ASSERT(lines.has_value());
  const std::vector<Corner> corners = corners_of(all, 0);
  if (!lines || corners.empty() || corners_of(all, -1).empty()) return;
  for (const double x : {-5e5, 0.0, 3e4, 9e6}) {
    double low = corners[0].at(x), high = low;
    for (const Corner& corner : corners) {
      low = std::min(low, corner.at(x));
      high = std::max(high, corner.at(x));
    }
    const Band band = lines->band(x);
    TB_ASSERT(std::abs(band.low - low) <= kTolerance + 1e-9 * std::abs(low));
    TB_ASSERT(std::abs(band.high - high) <= kTolerance + 1e-9 * std::abs(high));
    const double middle = lines->middle().at(x);
    TB_ASSERT(middle >= low - kTolerance && middle <= high + kTolerance);
    TB_ASSERT(lines->bound(lines->middle(), x) >=
              std::max(high - middle, middle - low) - kTolerance);
  }
}

template <class Fit>
void check_fit(const Fit& fit, size_t size) {
  TB_ASSERT(fit.used <= size);
  if (fit.reason != Reason::None) return;
  TB_ASSERT(fit.is_outlier.size() == size);
  TB_ASSERT(fit.knots.size() >= 2 && std::isfinite(fit.rate));
  for (size_t i = 0; i < fit.knots.size(); ++i) {
    const Knot& knot = fit.knots[i];
    TB_ASSERT(std::isfinite(knot.theta) && std::isfinite(knot.bound_ns) && knot.bound_ns >= 0);
    if (i > 0) TB_ASSERT(fit.knots[i - 1].x < knot.x);
  }
}

// Whether the fit satisfies all constraints that it uses, within its bound.
void check_limits(const OrderedFit& fit, const std::vector<Constraint>& all) {
  if (fit.reason != Reason::None) return;
  for (size_t i = 0; i < all.size(); ++i) {
    if (fit.is_outlier[i]) continue;
    const Knot at = fit.at(all[i].x);
    const double slack = 1 + at.bound_ns + 1e-9 * std::abs(at.theta);
    if (all[i].has_high()) TB_ASSERT(at.theta <= static_cast<double>(all[i].high) + slack);
    if (all[i].has_low()) TB_ASSERT(at.theta >= static_cast<double>(all[i].low) - slack);
  }
}

}  // namespace
}  // namespace tracebraid::align

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tracebraid::align;
  if (size > 4096) return 0;
  tracebraid::FuzzedBytes bytes(data, size);
  // Of 1 to 7 bytes: small sets near each other, and differences up to the farthest.
  const uint8_t shape = bytes.byte();
  const int of_x = 1 + shape % 7, of_value = 1 + shape / 7 % 7;
  std::vector<Constraint> all;
  std::vector<Moment> moments;
  while (!bytes.empty()) {
    const bool is_high = (bytes.byte() & 1) != 0;
    const int64_t x = bytes.signed_of(of_x), value = bytes.signed_of(of_value);
    all.push_back(is_high ? Constraint{.x = x, .high = value} : Constraint{.x = x, .low = value});
    moments.push_back({x, value});
  }
  if (all.size() <= kMostCompared && of_x <= 3 && of_value <= 3) compare_with_corners(all);
  std::ranges::stable_sort(all, {}, &Constraint::x);
  std::ranges::stable_sort(moments, {}, &Moment::x);
  const int64_t first = all.empty() ? 0 : all.front().x - 1000;
  const int64_t last = all.empty() ? 0 : all.back().x + 1000;
  for (const bool are_certain : {false, true}) {
    const OrderedFit fit =
        fit_ordered(all, {.are_pairs_certain = are_certain, .first_x = first, .last_x = last});
    check_fit(fit, all.size());
    check_limits(fit, all);
  }
  check_fit(fit_equal(moments, {.floor_ns = 5'000, .first_x = first, .last_x = last}),
            moments.size());
  return 0;
}
