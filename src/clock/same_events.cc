#include "clock/same_events.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/median.h"

namespace tracebraid {
namespace {

// A ninth of the matches may be out of order, because unrelated events may look alike.
constexpr size_t kOutOfOrder = 9;
// One line per chunk of this many matches, so that the lines follow the drift.
constexpr size_t kMatchesOfPoint = 400, kMostPoints = 256;
constexpr double kTrusted = 0.999;  // share of the residuals within the bound
// The rounding of readings in text formats.
constexpr int64_t kRoundingNs = 1000;

struct Match {
  int64_t a, b;
};

// A match relative to the first one.
struct Point {
  double x, y;
};

// Sorts by identifier and removes identifiers that occur more than once.
void keep_unique(std::vector<Sighting>& seen) {
  std::ranges::sort(seen, {}, &Sighting::what);
  size_t kept = 0;
  for (size_t i = 0; i < seen.size();) {
    size_t end = i + 1;
    while (end < seen.size() && seen[end].what == seen[i].what) ++end;
    if (end == i + 1) seen[kept++] = seen[i];
    i = end;
  }
  seen.resize(kept);
}

std::vector<Match> join(const std::vector<Sighting>& a, const std::vector<Sighting>& b) {
  std::vector<Match> matches;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].what < b[j].what) {
      ++i;
    } else if (b[j].what < a[i].what) {
      ++j;
    } else {
      matches.push_back({a[i++].reading, b[j++].reading});
    }
  }
  std::ranges::sort(matches, {}, &Match::a);
  return matches;
}

// Returns the longest chain of matches that increases in both recordings.
std::vector<Match> rising(std::span<const Match> matches) {
  constexpr size_t kNoBefore = ~size_t{0};
  std::vector<size_t> ends,
      before(matches.size(), kNoBefore);  // ends: last match of a chain, by its length
  for (size_t i = 0; i < matches.size(); ++i) {
    if (i > 0 && matches[i].a == matches[i - 1].a) continue;
    const auto at = std::ranges::lower_bound(ends, matches[i].b, {},
                                             [&](size_t row) { return matches[row].b; });
    if (at != ends.begin()) before[i] = *std::prev(at);
    if (at == ends.end())
      ends.push_back(i);
    else
      *at = i;
  }
  std::vector<Match> chain;
  for (size_t i = ends.empty() ? kNoBefore : ends.back(); i != kNoBefore; i = before[i])
    chain.push_back(matches[i]);
  std::ranges::reverse(chain);
  return chain;
}

// Returns the median of the points of a chunk.
Point middle_of(std::span<const Point> points, double slope) {
  const double x = (points.front().x + points.back().x) / 2;
  std::vector<double> y;
  for (const Point& point : points) y.push_back(point.y - slope * (point.x - x));
  return {x, upper_median(y)};
}

double slope_between(const Point& a, const Point& b) { return (b.y - a.y) / (b.x - a.x); }

// Returns the slope of all points: between the medians of the first and last third, refined once
// because the medians depend on a slope.
double slope_of(std::span<const Point> points) {
  const size_t third = points.size() / 3;
  const auto first = points.first(third), last = points.last(third);
  double slope = slope_between(points.front(), points.back());
  for (int i = 0; i < 2; ++i)
    slope = slope_between(middle_of(first, slope), middle_of(last, slope));
  return slope;
}

std::vector<Point> knots_of(std::span<const Point> points, double slope) {
  const size_t count = std::clamp<size_t>(points.size() / kMatchesOfPoint, 2, kMostPoints);
  std::vector<Point> knots;
  for (size_t i = 0; i < count; ++i) {
    const size_t first = points.size() * i / count, end = points.size() * (i + 1) / count;
    const Point knot = middle_of(points.subspan(first, end - first), slope);
    if (knots.empty() || knot.x > knots.back().x) knots.push_back(knot);
  }
  return knots;
}

// Returns the largest residual of nearly all points against the line through the knots.
double residual_of(std::span<const Point> points, std::span<const Point> knots) {
  std::vector<double> residuals;
  size_t at = 0;
  for (const Point& point : points) {
    while (at + 2 < knots.size() && knots[at + 1].x <= point.x) ++at;
    const Point& knot = knots[at];
    const double y = knot.y + slope_between(knot, knots[at + 1]) * (point.x - knot.x);
    residuals.push_back(std::abs(point.y - y));
  }
  const auto rank = static_cast<size_t>(kTrusted * static_cast<double>(residuals.size() - 1));
  std::ranges::nth_element(residuals, residuals.begin() + static_cast<ptrdiff_t>(rank));
  return residuals[rank];
}

}  // namespace

std::optional<SameEvents> match_events(std::vector<Sighting> a, std::vector<Sighting> b) {
  keep_unique(a);
  keep_unique(b);
  const std::vector<Match> matches = join(a, b);
  const std::vector<Match> chain = rising(matches);
  if (chain.size() < kFewestMatches) return std::nullopt;
  if (matches.size() - chain.size() > matches.size() / kOutOfOrder) return std::nullopt;
  const Match base = chain.front();
  int64_t span = 0;
  if (__builtin_sub_overflow(chain.back().a, base.a, &span) ||
      __builtin_sub_overflow(chain.back().b, base.b, &span))
    return std::nullopt;
  std::vector<Point> points;
  for (const Match& match : chain)
    points.push_back(
        {static_cast<double>(match.a - base.a), static_cast<double>(match.b - base.b)});
  const std::vector<Point> knots = knots_of(points, slope_of(points));
  if (knots.size() < 2) return std::nullopt;
  const double residual = residual_of(points, knots);
  if (!(residual <= static_cast<double>(kLargestResidualNs))) return std::nullopt;
  SameEvents same{.points = {}, .matched = chain.size()};
  for (const Point& knot : knots) {
    Observation point{.from = 0, .to = 0, .uncertainty_ns = std::llround(residual) + kRoundingNs};
    if (__builtin_add_overflow(base.a, std::llround(knot.x), &point.from) ||
        __builtin_add_overflow(base.b, std::llround(knot.y), &point.to))
      return std::nullopt;
    same.points.push_back(point);
  }
  return same;
}

}  // namespace tracebraid
