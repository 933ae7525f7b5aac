#include "merge/align/equal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

#include "base/median.h"

namespace tracebraid::align {
namespace {

constexpr size_t kMostPairs = 4096;      // of moments, for the first estimate of the rate
constexpr size_t kFewestOfHalf = 64;     // moments of a run that was halved
constexpr size_t kMostHalved = 1 << 16;  // moments that decide where a run is halved
constexpr double kWorthHalving = 0.75;   // halves are used if their tolerance is smaller by this
constexpr double kLeastShare = 0.75;     // of moments that must lie near one line
// Few residuals say little about the largest one. Up to this number of moments, the tolerance is at
// least what Student's t gives at 99.95 % for the standard deviation of the residuals. With n
// moments it is larger than the largest residual by kFewMoments / n.
constexpr size_t kStudentMoments = 64;
constexpr double kFewMoments = 16;

// Returns Student's t for 99.95 % of one side, rounded up. Requires: freedom > 0.
double student(size_t freedom) {
  constexpr std::array kFirst{637.0, 31.6, 13.0, 8.7, 6.9, 6.0, 5.5, 5.1, 4.8, 4.6};
  return freedom <= kFirst.size() ? kFirst[freedom - 1] : 3.3 + 13 / static_cast<double>(freedom);
}

// Returns the q-quantile; the largest value if there are few.
double quantile(std::vector<double>& values, double q) {
  const auto rank = static_cast<size_t>(std::ceil(q * static_cast<double>(values.size())));
  const auto at =
      values.begin() + static_cast<ptrdiff_t>(std::clamp<size_t>(rank, 1, values.size()) - 1);
  std::ranges::nth_element(values, at);
  return *at;
}

struct Run {
  std::span<const size_t> members;  // indexes of the moments, without outliers
  Line line;
  double tolerance = 0;
};

class Fitter {
 public:
  Fitter(std::span<const Moment> moments, const EqualOptions& options)
      : moments_(moments), options_(options) {}

  EqualFit fit() {
    fit_.is_outlier.assign(moments_.size(), false);
    if (moments_.size() < options_.fewest || moments_.size() < 2) return refuse(Reason::TooFew);
    const Line first = robust_line();
    fit_.rate = first.beta;
    if (std::abs(first.beta) > options_.steepest) return refuse(Reason::Rate);
    Run whole = without_outliers(first);
    const auto kept = static_cast<double>(whole.members.size());
    if (kept < kLeastShare * static_cast<double>(moments_.size()))
      return refuse(Reason::Inconsistent);
    if (whole.members.size() < options_.fewest) return refuse(Reason::TooFew);
    fit_.rate = whole.line.beta;
    if (std::abs(fit_.rate) > options_.steepest) return refuse(Reason::Rate);
    runs_ = divided_all(whole);
    fit_.tolerance_ns = largest_bound(runs_);
    if (fit_.tolerance_ns > static_cast<double>(options_.most_tolerance_ns))
      return refuse(Reason::Inconsistent);
    for (const Run& run : runs_) fit_.used += run.members.size();
    make_knots();
    return std::move(fit_);
  }

 private:
  EqualFit refuse(Reason reason) {
    fit_.reason = reason;
    return std::move(fit_);
  }

  double x(size_t i) const { return static_cast<double>(moments_[i].x); }
  double y(size_t i) const { return static_cast<double>(moments_[i].y); }

  // The median of slopes between moments half of all apart, and the median of the offsets. Up to a
  // quarter of wrong moments move the line little.
  Line robust_line() const {
    const size_t half = moments_.size() / 2;
    const size_t stride = half / kMostPairs + 1;
    std::vector<double> slopes, offsets;
    for (size_t i = 0; i + half < moments_.size(); i += stride)
      if (moments_[i + half].x > moments_[i].x)
        slopes.push_back((y(i + half) - y(i)) / (x(i + half) - x(i)));
    const double beta = slopes.empty() ? 0 : upper_median(slopes);
    for (size_t i = 0; i < moments_.size(); i += stride) offsets.push_back(y(i) - beta * x(i));
    return {upper_median(offsets), beta};
  }

  // Removes residuals beyond 8 medians and the floor, then fits the rest.
  Run without_outliers(const Line& line) {
    std::vector<double> residuals;
    for (size_t i = 0; i < moments_.size(); ++i)
      residuals.push_back(std::abs(y(i) - line.at(x(i))));
    std::vector<double> sorted = residuals;
    const double limit = 8 * upper_median(sorted) + static_cast<double>(options_.floor_ns);
    for (size_t i = 0; i < moments_.size(); ++i) {
      fit_.is_outlier[i] = residuals[i] > limit;
      if (!fit_.is_outlier[i]) kept_.push_back(i);
    }
    Run run{.members = kept_};
    if (!run.members.empty()) fit_line(run);
    return run;
  }

  // Least squares, and the tolerance of the residuals.
  void fit_line(Run& run) const {
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    const auto count = static_cast<double>(run.members.size());
    for (const size_t i : run.members) {
      mean_x += x(i) / count;
      mean_y += y(i) / count;
    }
    for (const size_t i : run.members) {
      xx += (x(i) - mean_x) * (x(i) - mean_x);
      xy += (x(i) - mean_x) * (y(i) - mean_y);
    }
    const double beta = xx > 0 ? std::clamp(xy / xx, -options_.steepest, options_.steepest) : 0;
    run.line = {mean_y - beta * mean_x, beta};
    std::vector<double> residuals;
    residuals.reserve(run.members.size());
    double squares = 0;
    for (const size_t i : run.members) {
      residuals.push_back(std::abs(y(i) - run.line.at(x(i))));
      squares += residuals.back() * residuals.back();
    }
    run.tolerance = std::max(static_cast<double>(options_.floor_ns),
                             quantile(residuals, 0.999) * (1 + kFewMoments / count));
    if (run.members.size() > kStudentMoments || run.members.size() < 3) return;
    const size_t freedom = run.members.size() - 2;
    const double deviation = std::sqrt(squares / static_cast<double>(freedom) * (1 + 4 / count));
    run.tolerance = std::max(run.tolerance, student(freedom) * deviation);
  }

  // Where two runs meet.
  double border(const Run& left, const Run& right) const {
    return (x(left.members.back()) + x(right.members.front())) / 2;
  }

  // Returns half the distance of the lines of two runs where they meet.
  double jump(const Run& left, const Run& right) const {
    const double at = border(left, right);
    return std::abs(left.line.at(at) - right.line.at(at)) / 2;
  }

  // Returns the largest bound of runs that follow each other.
  double largest_bound(std::span<const Run> runs) const {
    double bound = runs.back().tolerance;
    for (size_t i = 0; i + 1 < runs.size(); ++i)
      bound = std::max(
          bound, std::max(runs[i].tolerance, runs[i + 1].tolerance) + jump(runs[i], runs[i + 1]));
    return bound;
  }

  // Returns the run, or several that replace it because they make the bound much smaller.
  std::vector<Run> divided(const Run& run) const {
    const size_t half = run.members.size() / 2;
    // No tolerance is smaller than the floor.
    const double smaller = kWorthHalving * run.tolerance;
    if (half < kFewestOfHalf || static_cast<double>(options_.floor_ns) >= smaller) return {run};
    Run left{.members = run.members.first(half)}, right{.members = run.members.subspan(half)};
    fit_line(left);
    fit_line(right);
    std::vector<Run> runs = divided(left);
    std::ranges::move(divided(right), std::back_inserter(runs));
    if (largest_bound(runs) < smaller) return runs;
    return {run};
  }

  // Returns the same for all moments. Of many, every n-th decides where the runs begin.
  std::vector<Run> divided_all(const Run& whole) const {
    const size_t stride = whole.members.size() / kMostHalved + 1;
    if (stride == 1) return divided(whole);
    std::vector<size_t> some;
    for (size_t i = 0; i < whole.members.size(); i += stride) some.push_back(whole.members[i]);
    Run thin{.members = some};
    fit_line(thin);
    std::vector<Run> runs;
    for (const Run& part : divided(thin)) {
      const auto first = static_cast<size_t>(part.members.data() - some.data()) * stride;
      const size_t count = std::min(part.members.size() * stride, whole.members.size() - first);
      fit_line(runs.emplace_back(Run{.members = whole.members.subspan(first, count)}));
    }
    if (runs.size() > 1 && largest_bound(runs) < kWorthHalving * whole.tolerance) return runs;
    return {whole};
  }

  // Returns the bound of the line of `run` at `at`: its tolerance inside the run; outside, how far
  // other lines within the tolerance may lie.
  double bound(const Run& run, double at) const {
    const double first = x(run.members.front()), last = x(run.members.back());
    if (at >= first && at <= last) return run.tolerance;
    std::vector<Constraint> constraints;
    const auto tolerance = static_cast<int64_t>(std::ceil(run.tolerance)) + 1;
    // The few residuals that are larger would leave no line.
    for (const size_t i : run.members)
      if (std::abs(y(i) - run.line.at(x(i))) <= run.tolerance)
        constraints.push_back(equality(moments_[i].x, moments_[i].x + moments_[i].y, tolerance));
    const std::optional<FeasibleLines> lines = feasible_lines(constraints, options_.steepest);
    const double beyond = std::max(first - at, at - last);
    const double widest = run.tolerance + 2 * options_.steepest * beyond;
    return lines ? std::clamp(lines->bound(run.line, at), run.tolerance, widest) : widest;
  }

  void add_knot(double at, double theta, double bound) {
    const auto place = static_cast<int64_t>(std::llround(at));
    if (!fit_.knots.empty() && fit_.knots.back().x >= place) {
      fit_.knots.back().bound_ns = std::max(fit_.knots.back().bound_ns, bound);
      return;
    }
    fit_.knots.push_back({place, theta, bound});
  }

  void make_knots() {
    const auto first = static_cast<double>(options_.first_x);
    const auto last = static_cast<double>(options_.last_x);
    const Run& front = runs_.front();
    const Run& back = runs_.back();
    const double begin = x(front.members.front()), end = x(back.members.back());
    if (first < begin) add_knot(first, front.line.at(first), bound(front, first));
    add_knot(begin, front.line.at(begin), front.tolerance);
    for (size_t i = 0; i + 1 < runs_.size(); ++i) {
      const Run &left = runs_[i], &right = runs_[i + 1];
      const double at = border(left, right);
      add_knot(at, (left.line.at(at) + right.line.at(at)) / 2,
               std::max(left.tolerance, right.tolerance) + jump(left, right));
    }
    add_knot(end, back.line.at(end), back.tolerance);
    if (last > end) add_knot(last, back.line.at(last), bound(back, last));
    if (fit_.knots.size() == 1) {  // all moments have one reading
      const Knot only = fit_.knots.front();
      fit_.knots.push_back({only.x + 1, only.theta, only.bound_ns});
    }
  }

  std::span<const Moment> moments_;
  const EqualOptions& options_;
  EqualFit fit_;
  std::vector<size_t> kept_;  // indexes of the moments, without outliers
  std::vector<Run> runs_;
};

}  // namespace

Knot knot_at(std::span<const Knot> knots, int64_t x) {
  auto right = std::ranges::lower_bound(knots, x, {}, &Knot::x);
  right = std::clamp(right, knots.begin() + 1, knots.end() - 1);
  const Knot &a = *(right - 1), &b = *right;
  const double share = static_cast<double>(x - a.x) / static_cast<double>(b.x - a.x);
  return {x, a.theta + (b.theta - a.theta) * share, std::max(a.bound_ns, b.bound_ns)};
}

EqualFit fit_equal(std::span<const Moment> moments, const EqualOptions& options) {
  return Fitter(moments, options).fit();
}

}  // namespace tracebraid::align
