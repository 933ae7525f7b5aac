// Feasible lines: all lines theta = alpha + beta * x that satisfy a set of constraints (spec
// alignment 5.1). Pure functions; the caller removes wrong matches first.
//
// Input: constraints of two clocks, or (equal.h) moments that both noted. Output: lines between the
// clocks with a bound, or the reason to refuse the matches (verdict.h).
// Called by the kinds of content, such as collectives.h.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "merge/align/constraint.h"

namespace tracebraid::align {

struct Line {
  double alpha = 0;  // ns, at x = 0
  double beta = 0;   // ns per ns
  double at(double x) const { return alpha + beta * x; }
};

struct Band {
  double low = 0, high = 0;  // ns
};

// A convex polygon of lines.
class FeasibleLines {
 public:
  // Returns the line with the largest distance to the nearest low and high limits. With symmetric
  // least delays it is the true one.
  Line middle() const { return middle_; }
  // Returns the smallest and the largest value of all lines.
  Band band(double x) const;
  // Returns the larger distance of `line` to the ends of the band, ns.
  double bound(const Line& line, double x) const;
  double least_beta() const { return least_beta_; }
  double greatest_beta() const { return greatest_beta_; }

 private:
  friend std::optional<FeasibleLines> feasible_lines(std::span<const Constraint>, double);
  std::vector<Line> corners_;
  Line middle_;
  double least_beta_ = 0, greatest_beta_ = 0;
};

// Returns the lines with |beta| <= `steepest` that satisfy all constraints; nothing if there are
// none, or if the constraints have no low limit or no high limit (spec alignment 4.2, one_sided).
std::optional<FeasibleLines> feasible_lines(std::span<const Constraint> constraints,
                                            double steepest);

}  // namespace tracebraid::align
