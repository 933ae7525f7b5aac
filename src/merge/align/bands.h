// Bands of clocks whose rate changes: lines through overlapping windows of the constraints (spec
// alignment 5.1, 5.3). Pure functions. Called by ordered.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "merge/align/constraint.h"
#include "merge/align/equal.h"

namespace tracebraid::align {

struct BandOptions {
  double steepest = kSteepest;  // largest rate of two clocks, ns per ns
  double wander = 0;            // largest change of the rate, 1 per ns
  // Constraints of each direction that a window needs.
  size_t fewest_of_side = 4;
  // Readings of clock A for which the fit must hold, as differences to its base.
  int64_t first_x = 0, last_x = 0;
};

// Returns the tightest constraints, at most 65536, sorted by x. Of more, those of each few: the
// others are satisfied as well, nearly. Requires: constraints are sorted by x.
std::vector<Constraint> tightest(std::span<const Constraint> all);

// Returns at least two knots, sorted by x; none if no window has a feasible line. Windows of all,
// half, a quarter ... of the constraints compete: long windows have many constraints, and short
// ones bend little. The bound of a knot holds up to its neighbours. Requires: constraints are
// sorted by x and have one limit each.
std::vector<Knot> knots_of_bands(std::span<const Constraint> constraints,
                                 const BandOptions& options);

}  // namespace tracebraid::align
