#include "merge/align/bands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <ranges>

#include "merge/align/feasible.h"

namespace tracebraid::align {
namespace {

constexpr size_t kMostBandKnots = 200, kFewestBandKnots = 16, kKnotsOfWindow = 8;
constexpr std::array kFirstKnots{0.0625, 0.125, 0.25, 0.5};  // of the first step
constexpr size_t kIdleLevels = 2;  // sizes that are no better than the one before
constexpr double kNoBound = std::numeric_limits<double>::infinity();

// The lines of some constraints that follow each other.
struct BandWindow {
  double first = 0, last = 0;  // x
  FeasibleLines lines;
  double wander = 0;

  double at(double x) const { return lines.middle().at(x); }
  // How far the clock leaves a line between the ends of the window and `x`.
  double bend(double x) const {
    const double length = std::max(last, x) - std::min(first, x);
    return wander * length * length / 8;
  }
  // Returns the distance of `theta` to the farther end of the band.
  double bound(double x, double theta) const {
    const Band band = lines.band(x);
    return std::max(band.high - theta, theta - band.low) + bend(x);
  }
};

class BandMaker {
 public:
  BandMaker(std::span<const Constraint> constraints, const BandOptions& options)
      : constraints_(constraints),
        options_(options),
        begin_(static_cast<double>(constraints_.front().x)),
        end_(static_cast<double>(constraints_.back().x)) {}

  std::vector<Knot> make() && {
    add_windows();
    if (best_size_.empty()) return {};
    place_knots();
    estimate();
    bound_segments();
    return rounded();
  }

 private:
  struct BandKnot {
    double x = 0, theta = 0, bound = kNoBound;
    const BandWindow* best = nullptr;  // that gives theta
  };

  // Adds windows of all sizes that are worth having, each half of which its neighbours have, too.
  void add_windows() {
    size_t idle = 0;
    double least = kNoBound;
    for (size_t parts = 2; constraints_.size() * 2 / parts >= 2 * options_.fewest_of_side;
         parts *= 2) {
      std::vector<size_t> added;
      std::vector<double> bounds;
      for (size_t i = 0; i + 2 <= parts; ++i) {
        if (!add_window(part(i, parts), part(i + 2, parts))) continue;
        added.push_back(windows_.size() - 1);
        const BandWindow& window = windows_.back();
        const double middle = (window.first + window.last) / 2;
        bounds.push_back(window.bound(middle, window.at(middle)));
      }
      if (added.size() * 4 < (parts - 1) * 3) continue;  // clocks bend too much
      const auto half = bounds.begin() + static_cast<ptrdiff_t>(bounds.size() / 2);
      std::ranges::nth_element(bounds, half);
      if (*half < least) {
        least = *half;
        parts_ = parts;
        best_size_ = std::move(added);
        idle = 0;
      } else if (++idle == kIdleLevels) {
        break;
      }
    }
  }
  size_t part(size_t i, size_t parts) const { return constraints_.size() * i / parts; }

  bool add_window(size_t begin, size_t end) {
    const auto window = constraints_.subspan(begin, end - begin);
    const auto lows = static_cast<size_t>(std::ranges::count_if(window, &Constraint::has_low));
    if (std::min(lows, window.size() - lows) < options_.fewest_of_side) return false;
    const auto lines = feasible_lines(window, options_.steepest);
    if (!lines) return false;
    windows_.push_back({static_cast<double>(window.front().x), static_cast<double>(window.back().x),
                        *lines, options_.wander});
    return true;
  }

  void place_knots() {
    const size_t count = std::clamp(parts_ / 2 * kKnotsOfWindow, kFewestBandKnots, kMostBandKnots);
    const auto first = static_cast<double>(options_.first_x);
    const auto last = static_cast<double>(options_.last_x);
    const double step = (end_ - begin_) / static_cast<double>(count);
    if (first < begin_) knots_.push_back({.x = first});
    // Bounds grow towards the ends.
    knots_.push_back({.x = begin_});
    for (const double part : kFirstKnots) knots_.push_back({.x = begin_ + step * part});
    for (size_t i = 1; i < count; ++i)
      knots_.push_back({.x = begin_ + step * static_cast<double>(i)});
    for (const double part : kFirstKnots | std::views::reverse)
      knots_.push_back({.x = end_ - step * part});
    knots_.push_back({.x = end_});
    if (last > end_) knots_.push_back({.x = last});
  }

  // Whether the window is the one to use at `x`, also before the first and after the last one.
  bool covers(const BandWindow& window, double x) const {
    return (x >= window.first || window.first == begin_) &&
           (x <= window.last || window.last == end_);
  }
  // Calls use(i) for the knots that a window covers.
  template <class Use>
  void for_covered(const BandWindow& window, Use use) {
    auto at = std::ranges::lower_bound(knots_, window.first, {}, &BandKnot::x);
    if (window.first == begin_) at = knots_.begin();
    for (; at != knots_.end() && covers(window, at->x); ++at)
      use(static_cast<size_t>(at - knots_.begin()));
  }

  // The estimate is the line of a window of the best size whose middle is nearest: there it is
  // farthest from its limits.
  void estimate() {
    for (BandKnot& knot : knots_) {
      double nearest = kNoBound;
      for (const size_t i : best_size_) {
        const BandWindow& window = windows_[i];
        const double apart = std::abs((window.first + window.last) / 2 - knot.x);
        if (apart >= nearest) continue;
        nearest = apart;
        knot.best = &window;
      }
      knot.theta = knot.best->at(knot.x);
    }
  }

  // The ends of a band are convex and concave between two knots, and the estimate is straight: it
  // is farthest from them at a knot.
  void bound_segments() {
    std::vector<double> segments(knots_.size() - 1, kNoBound);
    const auto bound = [&](const BandWindow& window, size_t i) {
      return window.bound(knots_[i].x, knots_[i].theta);
    };
    for (const BandWindow& window : windows_) {
      double before = kNoBound;
      size_t expected = 0;
      for_covered(window, [&](size_t i) {
        const double here = bound(window, i);
        if (i > 0 && i == expected)
          segments[i - 1] = std::min(segments[i - 1], std::max(before, here));
        before = here;
        expected = i + 1;
      });
    }
    for (size_t i = 0; i < segments.size(); ++i)
      for (const BandWindow* window : {knots_[i].best, knots_[i + 1].best})
        segments[i] = std::min(segments[i], std::max(bound(*window, i), bound(*window, i + 1)));
    for (size_t i = 0; i < knots_.size(); ++i) {
      const double left = i == 0 ? 0 : segments[i - 1];
      const double right = i == segments.size() ? 0 : segments[i];
      knots_[i].bound = std::max(left, right);
    }
  }

  std::vector<Knot> rounded() const {
    std::vector<Knot> knots;
    for (const BandKnot& knot : knots_) {
      const auto x = static_cast<int64_t>(std::llround(knot.x));
      if (!knots.empty() && knots.back().x >= x)
        knots.back().bound_ns = std::max(knots.back().bound_ns, knot.bound);
      else
        knots.push_back({x, knot.theta, knot.bound});
    }
    if (knots.size() == 1)  // all constraints have one reading
      knots.push_back({knots[0].x + 1, knots[0].theta, knots[0].bound_ns});
    return knots;
  }

  std::span<const Constraint> constraints_;
  const BandOptions& options_;
  double begin_, end_;
  size_t parts_ = 2;  // of the windows of the best size
  std::vector<BandWindow> windows_;
  std::vector<size_t> best_size_;  // indexes of the windows of the size that bounds best
  std::vector<BandKnot> knots_;
};

}  // namespace

std::vector<Constraint> tightest(std::span<const Constraint> all) {
  constexpr size_t kMostUsed = 1 << 16;
  if (all.size() <= kMostUsed) return {all.begin(), all.end()};
  const size_t buckets = kMostUsed / 4;
  std::vector<Constraint> kept;
  for (size_t i = 0; i < buckets; ++i) {
    const size_t begin = all.size() * i / buckets, end = all.size() * (i + 1) / buckets;
    const Constraint *low = nullptr, *high = nullptr;
    for (const Constraint& c : all.subspan(begin, end - begin)) {
      if (c.has_low() && (low == nullptr || c.low > low->low)) low = &c;
      if (c.has_high() && (high == nullptr || c.high < high->high)) high = &c;
    }
    if (high != nullptr && low != nullptr && high->x < low->x) std::swap(low, high);
    for (const Constraint* c : {low, high})
      if (c != nullptr) kept.push_back(*c);
  }
  return kept;
}

std::vector<Knot> knots_of_bands(std::span<const Constraint> constraints,
                                 const BandOptions& options) {
  if (constraints.empty()) return {};
  return BandMaker(constraints, options).make();
}

}  // namespace tracebraid::align
