#include "merge/align/feasible.h"

#include <algorithm>
#include <cmath>

namespace tracebraid::align {
namespace {

struct Point {
  double x, y;
};

double cross(const Point& o, const Point& a, const Point& b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

// Returns the lower hull of points sorted by x, from left to right (Andrew's monotone chain).
std::vector<Point> lower_hull(std::span<const Point> points) {
  std::vector<Point> hull;
  for (const Point& point : points) {
    if (!hull.empty() && hull.back().x == point.x) {
      if (point.y >= hull.back().y) continue;
      hull.pop_back();
    }
    while (hull.size() > 1 && cross(hull[hull.size() - 2], hull.back(), point) <= 0)
      hull.pop_back();
    hull.push_back(point);
  }
  return hull;
}

std::vector<double> slopes(std::span<const Point> hull) {
  std::vector<double> all;
  for (size_t i = 1; i < hull.size(); ++i)
    all.push_back((hull[i].y - hull[i - 1].y) / (hull[i].x - hull[i - 1].x));
  return all;
}

// One side of the constraints: the least value of y - beta * x over all points, for any beta.
// Low limits are mirrored, so that both sides have lower hulls.
class LimitHull {
 public:
  explicit LimitHull(std::span<const Point> points)
      : hull_(lower_hull(points)), slopes_(slopes(hull_)) {}

  double least(double beta) const {
    const auto at = std::ranges::lower_bound(slopes_, beta) - slopes_.begin();
    const Point& point = hull_[static_cast<size_t>(at)];
    return point.y - beta * point.x;
  }
  std::span<const double> breaks() const { return slopes_; }

 private:
  std::vector<Point> hull_;
  std::vector<double> slopes_;  // ascending
};

struct LimitHulls {
  LimitHull high, low;  // low: mirrored
  double most_alpha(double beta) const { return high.least(beta); }
  double least_alpha(double beta) const { return -low.least(-beta); }
  double margin(double beta) const { return most_alpha(beta) - least_alpha(beta); }
};

// Returns all betas at which a limit of alpha changes its slope, ascending, with both ends.
std::vector<double> breaks_of(const LimitHulls& sides, double steepest) {
  std::vector<double> betas{-steepest, steepest};
  for (const double beta : sides.high.breaks())
    if (std::abs(beta) < steepest) betas.push_back(beta);
  for (const double beta : sides.low.breaks())
    if (std::abs(beta) < steepest) betas.push_back(-beta);
  std::ranges::sort(betas);
  betas.erase(std::unique(betas.begin(), betas.end()), betas.end());
  return betas;
}

// Returns where the margin, which is linear between `in` (margin >= 0) and `out` (< 0), is zero.
double edge(double in, double margin_in, double out, double margin_out) {
  return in + (out - in) * (margin_in / (margin_in - margin_out));
}

}  // namespace

Band FeasibleLines::band(double x) const {
  const auto [low, high] =
      std::ranges::minmax_element(corners_, {}, [&](const Line& line) { return line.at(x); });
  return {low->at(x), high->at(x)};
}

double FeasibleLines::bound(const Line& line, double x) const {
  const Band all = band(x);
  return std::max(line.at(x) - all.low, all.high - line.at(x));
}

std::optional<FeasibleLines> feasible_lines(std::span<const Constraint> constraints,
                                            double steepest) {
  std::vector<Point> high, low;
  for (const Constraint& constraint : constraints) {
    const auto x = static_cast<double>(constraint.x);
    if (constraint.has_high()) high.push_back({x, static_cast<double>(constraint.high)});
    if (constraint.has_low()) low.push_back({x, -static_cast<double>(constraint.low)});
  }
  if (high.empty() || low.empty()) return std::nullopt;
  for (std::vector<Point>* points : {&high, &low})
    if (!std::ranges::is_sorted(*points, {}, &Point::x)) std::ranges::sort(*points, {}, &Point::x);
  const LimitHulls sides{LimitHull(high), LimitHull(low)};

  // The margin is concave: its maximum is at a break, or on a plateau between two.
  const std::vector<double> betas = breaks_of(sides, steepest);
  std::vector<double> margins;
  for (const double beta : betas) margins.push_back(sides.margin(beta));
  const double best = *std::ranges::max_element(margins);
  if (best < 0) return std::nullopt;
  size_t first = 0, last = betas.size() - 1;
  while (margins[first] < best) ++first;
  while (margins[last] < best) --last;

  FeasibleLines lines;
  const double beta = (betas[first] + betas[last]) / 2;
  lines.middle_ = {(sides.most_alpha(beta) + sides.least_alpha(beta)) / 2, beta};
  size_t begin = first, end = last;
  while (begin > 0 && margins[begin - 1] >= 0) --begin;
  while (end + 1 < betas.size() && margins[end + 1] >= 0) ++end;
  std::vector<double> corners(betas.begin() + static_cast<ptrdiff_t>(begin),
                              betas.begin() + static_cast<ptrdiff_t>(end) + 1);
  if (begin > 0)
    corners.push_back(edge(betas[begin], margins[begin], betas[begin - 1], margins[begin - 1]));
  if (end + 1 < betas.size())
    corners.push_back(edge(betas[end], margins[end], betas[end + 1], margins[end + 1]));
  const auto [least, greatest] = std::ranges::minmax_element(corners);
  lines.least_beta_ = *least;
  lines.greatest_beta_ = *greatest;
  for (const double corner : corners) {
    lines.corners_.push_back({sides.most_alpha(corner), corner});
    lines.corners_.push_back({sides.least_alpha(corner), corner});
  }
  return lines;
}

}  // namespace tracebraid::align
