// Fits two clocks to moments that both recordings noted (spec alignment 5.4). Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "merge/align/feasible.h"
#include "merge/align/verdict.h"

namespace tracebraid::align {

// One moment: clock A showed base_a + x when clock B showed base_b + x + y.
struct Moment {
  int64_t x = 0, y = 0;  // ns
};

struct EqualOptions {
  double steepest = kSteepest;            // largest rate of two clocks, ns per ns
  int64_t floor_ns = 0;                   // least tolerance of the kind
  int64_t most_tolerance_ns = 1'000'000;  // a larger tolerance is Reason::Inconsistent
  size_t fewest = 3;                      // moments, after outliers
  // Readings of clock A for which the fit must hold, as differences to its base.
  int64_t first_x = 0, last_x = 0;
};

// A point of the fitted map. The map is linear between knots.
struct Knot {
  int64_t x = 0;
  double theta = 0;     // ns
  double bound_ns = 0;  // without the grain of the clocks
};

// Returns theta and the bound at `x`, beyond the ends by the outer line. Requires: two knots.
Knot knot_at(std::span<const Knot> knots, int64_t x);

struct EqualFit {
  Reason reason = Reason::None;  // why there is no fit; then only `rate` may be set
  std::vector<Knot> knots;       // sorted by x, at least 2
  std::vector<bool> is_outlier;  // by moment
  size_t used = 0;
  double rate = 0;          // ns per ns, over all moments
  double tolerance_ns = 0;  // the largest of all lines and of the places where they meet

  // Returns theta and the bound at `x`. Requires: reason is None.
  Knot at(int64_t x) const { return knot_at(knots, x); }
};

// Fits moments sorted by x. The tolerance is learned from the residuals. Clocks whose rate changes
// get several lines that meet.
EqualFit fit_equal(std::span<const Moment> moments, const EqualOptions& options);

}  // namespace tracebraid::align
