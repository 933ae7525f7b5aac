// Fits two clocks to causes in one recording and effects in the other (spec alignment 5.1 to 5.3).
// Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "merge/align/constraint.h"
#include "merge/align/equal.h"
#include "merge/align/verdict.h"

namespace tracebraid::align {

struct OrderedOptions {
  double steepest = kSteepest;  // largest rate of two clocks, ns per ns
  size_t fewest = 3;            // constraints, after outliers
  // Whether cause and effect were paired by ids that do not occur by chance. Then constraints that
  // agree need no proof by their number.
  bool are_pairs_certain = false;
  // Readings of clock A for which the fit must hold, as differences to its base.
  int64_t first_x = 0, last_x = 0;
};

struct OrderedFit {
  Reason reason = Reason::None;  // why there is no fit; then there are no knots
  std::vector<Knot> knots;       // sorted by x, at least 2
  std::vector<bool> is_outlier;  // by constraint
  size_t used = 0;
  double rate = 0;  // ns per ns, from the first to the last knot

  // Returns theta and the bound at `x`. Requires: reason is None.
  Knot at(int64_t x) const { return knot_at(knots, x); }
};

// Fits constraints with one limit each, sorted by x. The estimate is the line of largest margin,
// which is the true one if the least delays of both directions are equal; the bound does not depend
// on that. Clocks whose rate changes get several lines that meet.
//
// Refuses (Reason): TooFew, also if so many could agree by chance; OneSided if either direction has
// fewer than 4 constraints, or less than a tenth of all; Inconsistent if a quarter of the
// constraints or more contradict the others; Ambiguous if there is a second place that satisfies
// nearly as many.
OrderedFit fit_ordered(std::span<const Constraint> constraints, const OrderedOptions& options);

}  // namespace tracebraid::align
