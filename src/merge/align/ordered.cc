#include "merge/align/ordered.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <optional>

#include "merge/align/bands.h"
#include "merge/align/feasible.h"

namespace tracebraid::align {
namespace {

constexpr size_t kFewestOfSide = 4;        // constraints of one direction in a run
constexpr double kLeastShareOfSide = 0.1;  // of all constraints
constexpr size_t kMostOfWindow = 256;  // constraints of one search, during which clocks bend little
constexpr double kLeastHolding = 0.75;  // of constraints that must hold
// Wrong pairs that satisfy the place do so by as much as others contradict it. More than this share
// of them, both together, is too much; counted if so many contradict it.
constexpr double kMostWrong = 0.5, kFewestWrong = 0.1;
constexpr double kNearestWrong = 0.1;  // of those that contradict: farther ones tell how far
constexpr double kSecondShare = 0.15;  // a second place satisfies at least this share less
constexpr double kDipShare = 0.05;     // between two places, this share less than at the second
constexpr double kMostByChance = 1e-3;
// Where some pairs are wrong: delays that are less than those of a tenth by this much, in distances
// from the tenth to the half, and the least difference.
constexpr double kIsolated = 3, kIsolatedFloorNs = 10e3;
constexpr size_t kFewestDelays = 20;
constexpr int kMostRounds = 3;
// Least change of the rate, 1 per ns: of one run of more than kLongRun, and of others.
constexpr double kWander = 2e-17;  // 0.02 ppm/s
constexpr double kFastWander = 1e-16;
constexpr double kMostWander = 1e-15;  // 1 ppm/s
constexpr double kLongRun = 60e9;      // ns
constexpr int kMostHalvings = 16;      // of the step of the rate

// Values of a limit: the constraint holds for alpha <= value (high) or alpha >= value (low).
struct Limit {
  double value;
  bool is_high;
};

// The offset that most constraints allow.
struct Place {
  double alpha = 0, width = 0;
  size_t holding = 0;
  bool has_rival = false;  // another offset satisfies nearly as many
};

double value_of(const Constraint& c, double middle, double beta) {
  return static_cast<double>(c.has_high() ? c.high : c.low) -
         beta * (static_cast<double>(c.x) - middle);
}

// Whether an offset beyond `limits[at]`, in the direction of the iterators, is a place of its own.
template <class It>
bool rises_again(It at, const It& end, bool upwards, const Place& best, size_t all) {
  size_t holding = best.holding, least = holding;
  const double far = best.alpha + (upwards ? 2 : -2) * best.width;
  const auto dip = std::max<size_t>(2, static_cast<size_t>(kDipShare * static_cast<double>(all)));
  for (; at != end; ++at) {
    // Upwards, a high limit is left behind and a low limit is met.
    if (at->is_high == upwards)
      --holding;
    else
      ++holding;
    least = std::min(least, holding);
    const bool is_far = upwards ? at->value > far : at->value < far;
    if (is_far && holding >= least + dip &&
        static_cast<double>(holding) + kSecondShare * static_cast<double>(all) >=
            static_cast<double>(best.holding))
      return true;
  }
  return false;
}

Place place_at(std::span<const Constraint> window, double middle, double beta, bool seeks_rival) {
  std::vector<Limit> limits;
  size_t holding = 0;  // below all limits
  for (const Constraint& c : window) {
    limits.push_back({value_of(c, middle, beta), c.has_high()});
    holding += c.has_high() ? 1 : 0;
  }
  std::ranges::sort(limits, [](const Limit& a, const Limit& b) {
    return a.value != b.value ? a.value < b.value : a.is_high < b.is_high;
  });
  Place best;
  size_t after = 0;  // index of the first limit above the place
  for (size_t i = 0; i + 1 < limits.size(); ++i) {
    if (limits[i].is_high) {
      --holding;
      continue;
    }
    ++holding;
    const double width = limits[i + 1].value - limits[i].value;
    if (holding < best.holding || (holding == best.holding && width <= best.width)) continue;
    best = {limits[i].value + width / 2, width, holding};
    after = i + 1;
  }
  if (!seeks_rival || best.holding == 0) return best;
  const auto split = limits.begin() + static_cast<ptrdiff_t>(after);
  best.has_rival =
      rises_again(split, limits.end(), true, best, window.size()) ||
      rises_again(std::make_reverse_iterator(split), limits.rend(), false, best, window.size());
  return best;
}

double middle_of(std::span<const Constraint> window) {
  return (static_cast<double>(window.front().x) + static_cast<double>(window.back().x)) / 2;
}

struct Found {
  Line line;
  Place place;
};

// Returns the line that satisfies most constraints, by halving steps of the rate.
Found search(std::span<const Constraint> window, double steepest) {
  const double middle = middle_of(window);
  const double span = std::max(1.0, static_cast<double>(window.back().x) - middle);
  double beta = 0;
  Place best = place_at(window, middle, beta, false);
  double step = steepest;
  for (int i = 0; i < kMostHalvings && step * span > 1; ++i, step /= 2) {
    const double from = beta;
    for (const double offset : {-1.0, -0.5, 0.5, 1.0}) {
      const double other = std::clamp(from + offset * step, -steepest, steepest);
      const Place place = place_at(window, middle, other, false);
      if (place.holding < best.holding ||
          (place.holding == best.holding && place.width <= best.width))
        continue;
      best = place;
      beta = other;
    }
  }
  best = place_at(window, middle, beta, true);
  return {{best.alpha - beta * middle, beta}, best};
}

bool holds(const Constraint& c, const Line& line) {
  const double theta = line.at(static_cast<double>(c.x));
  return c.has_high() ? theta <= static_cast<double>(c.high) : theta >= static_cast<double>(c.low);
}

// Returns a line that satisfies as many constraints as one of the rate `beta` or more, because the
// rate of neighbouring windows is nearly equal.
Found search_near(std::span<const Constraint> window, double beta, double steepest) {
  const double middle = middle_of(window);
  Found found;
  found.place = place_at(window, middle, beta, true);
  found.line = {found.place.alpha - beta * middle, beta};
  if (found.place.holding == window.size()) return found;
  std::vector<Constraint> kept;
  for (const Constraint& c : window)
    if (holds(c, found.line)) kept.push_back(c);
  const std::optional<FeasibleLines> lines = feasible_lines(kept, steepest);
  if (!lines) return found;
  found.line = lines->middle();
  found.place.holding = static_cast<size_t>(
      std::ranges::count_if(window, [&](const Constraint& c) { return holds(c, found.line); }));
  return found;
}

// Searches windows that follow each other.
class WindowSearch {
 public:
  WindowSearch(double steepest, size_t windows)
      : steepest_(steepest), is_fast_(windows > kFewWindows) {}

  Found search_next(std::span<const Constraint> window) {
    if (is_fast_ && searched_ >= kFewWindows) {
      const Found near = search_near(window, beta_, steepest_);
      if (!near.place.has_rival && near.place.holding >= usual_of(window.size())) return use(near);
    }
    const Found found = search(window, steepest_);
    ++searched_;
    all_ += window.size();
    holding_ += found.place.holding;
    return use(found);
  }

 private:
  static constexpr size_t kFewWindows = 16;

  Found use(const Found& found) {
    beta_ = found.line.beta;
    return found;
  }
  // Returns how many constraints of a window hold if as many are wrong as in those that were
  // searched.
  size_t usual_of(size_t size) const {
    const double share = static_cast<double>(holding_) / static_cast<double>(all_);
    const auto count = static_cast<double>(size);
    return static_cast<size_t>(
        std::max(0.0, count * share - 3 * std::sqrt(count * share * (1 - share))));
  }

  double steepest_;
  bool is_fast_;
  double beta_ = 0;
  size_t searched_ = 0, all_ = 0, holding_ = 0;
};

struct Directions {
  size_t low = 0, high = 0;
  size_t least() const { return std::min(low, high); }
};
Directions directions_of(std::span<const Constraint> constraints) {
  Directions sides;
  for (const Constraint& c : constraints) ++(c.has_high() ? sides.high : sides.low);
  return sides;
}

// Constraints that one line serves.
struct LineRun {
  double first = 0, last = 0;  // x
  FeasibleLines lines;
  double bend = 0;  // how far a clock that wanders leaves the line

  double at(double x) const { return lines.middle().at(x); }
  double bound(double x) const { return lines.bound(lines.middle(), x) + bend; }
  double worst() const { return std::max(bound(first), bound(last)); }
};

double border_of(const LineRun& left, const LineRun& right) {
  return (left.last + right.first) / 2;
}
double jump_of(const LineRun& left, const LineRun& right) {
  const double x = border_of(left, right);
  return std::abs(left.at(x) - right.at(x)) / 2;
}
double worst_of(std::span<const LineRun> runs) {
  double worst = 0;
  for (size_t i = 0; i < runs.size(); ++i) {
    worst = std::max(worst, runs[i].worst());
    if (i == 0) continue;
    const double x = border_of(runs[i - 1], runs[i]);
    worst = std::max(
        worst, std::max(runs[i - 1].bound(x), runs[i].bound(x)) + jump_of(runs[i - 1], runs[i]));
  }
  return worst;
}

// Returns the runs with the smallest bounds. Constraints that no run can serve are left out.
std::vector<LineRun> divided(std::span<const Constraint> kept, double steepest, double wander) {
  std::vector<LineRun> one, halves;
  if (const auto lines = feasible_lines(kept, steepest)) {
    LineRun run{static_cast<double>(kept.front().x), static_cast<double>(kept.back().x), *lines};
    run.bend = wander * (run.last - run.first) * (run.last - run.first) / 8;
    one.push_back(std::move(run));
  }
  const size_t half = kept.size() / 2;
  const auto left = kept.first(half), right = kept.subspan(half);
  if (directions_of(left).least() < kFewestOfSide || directions_of(right).least() < kFewestOfSide)
    return one;
  halves = divided(left, steepest, wander);
  std::ranges::move(divided(right, steepest, wander), std::back_inserter(halves));
  if (halves.empty() || (!one.empty() && worst_of(one) <= worst_of(halves))) return one;
  return halves;
}

// Returns how fast the rate changes, 1 per ns: at least what the runs show for certain. Several
// runs show that the clock wanders at all, and few constraints do not show how fast.
double wander_of(std::span<const LineRun> runs) {
  if (runs.size() < 3) {
    const bool is_long = !runs.empty() && runs.back().last - runs.front().first > kLongRun;
    return runs.size() == 1 && is_long ? kWander : kFastWander;
  }
  std::vector<double> changes;
  for (size_t i = 1; i < runs.size(); ++i) {
    const FeasibleLines &a = runs[i - 1].lines, &b = runs[i].lines;
    const double least =
        std::max({0.0, b.least_beta() - a.greatest_beta(), a.least_beta() - b.greatest_beta()});
    const double apart = (runs[i].first + runs[i].last - runs[i - 1].first - runs[i - 1].last) / 2;
    changes.push_back(apart > 0 ? least / apart : 0);
  }
  std::ranges::sort(changes);
  return std::clamp(4 * changes[changes.size() / 2], kFastWander, kMostWander);
}

// Whether the lines of neighbours have a common place where they meet.
bool meet(const LineRun& left, const LineRun& right) {
  const double x = border_of(left, right);
  const Band a = left.lines.band(x), b = right.lines.band(x);
  const double slack = left.bend + right.bend +
                       kMostWander * (right.last - left.first) * (right.last - left.first) / 8;
  return a.low <= b.high + slack && b.low <= a.high + slack;
}

// Constraints [begin, end) and the line that satisfies most of them.
struct LineWindow {
  size_t begin = 0, end = 0;
  Line line;
};

// Returns by how much a constraint holds; negative if the line contradicts it.
double slack_of(const Constraint& c, const Line& line) {
  const double theta = line.at(static_cast<double>(c.x));
  return c.has_high() ? static_cast<double>(c.high) - theta : theta - static_cast<double>(c.low);
}

// Returns which share of the pairs is wrong, also of those that satisfy the place by chance.
double share_of_wrong(std::span<const double> slacks) {
  std::vector<double> contradicting;
  for (const double slack : slacks)
    if (slack < 0) contradicting.push_back(-slack);
  const auto all = static_cast<double>(slacks.size());
  const auto count = static_cast<double>(contradicting.size());
  if (count < kFewestWrong * all) return 0;
  const auto at = contradicting.begin() + static_cast<ptrdiff_t>(kNearestWrong * count);
  std::ranges::nth_element(contradicting, at);
  const auto far = static_cast<double>(
      std::ranges::count_if(slacks, [far_ns = *at](double slack) { return slack > far_ns; }));
  // The place is one that few contradict, but not so few.
  return (count + std::min(2 * count, far / (1 - kNearestWrong))) / all;
}

// Marks the constraints that the best line of their window contradicts. Appends the windows.
Reason find_outliers(std::span<const Constraint> all, double steepest, OrderedFit& fit,
                     std::vector<LineWindow>& lines) {
  const size_t windows = (all.size() + kMostOfWindow - 1) / kMostOfWindow;
  size_t holding = 0, with_rival = 0;
  std::vector<double> slacks;
  WindowSearch searcher(steepest, windows);
  for (size_t i = 0; i < windows; ++i) {
    const size_t begin = all.size() * i / windows, end = all.size() * (i + 1) / windows;
    const auto window = all.subspan(begin, end - begin);
    const Found found = searcher.search_next(window);
    holding += found.place.holding;
    with_rival += found.place.has_rival ? 1 : 0;
    for (size_t k = begin; k < end; ++k) {
      fit.is_outlier[k] = !holds(all[k], found.line);
      slacks.push_back(slack_of(all[k], found.line));
    }
    lines.push_back({begin, end, found.line});
  }
  if (static_cast<double>(holding) < kLeastHolding * static_cast<double>(all.size()))
    return Reason::Inconsistent;
  if (share_of_wrong(slacks) > kMostWrong) return Reason::Inconsistent;
  return with_rival * 4 > windows ? Reason::Ambiguous : Reason::None;
}

// Fits the constraints that are no outliers.
Reason fit_lines(std::span<const Constraint> all, const OrderedOptions& options, OrderedFit& fit) {
  std::vector<Constraint> kept;
  for (size_t i = 0; i < all.size(); ++i)
    if (!fit.is_outlier[i]) kept.push_back(all[i]);
  if (directions_of(kept).least() < kFewestOfSide) return Reason::OneSided;
  fit.used = kept.size();
  kept = tightest(kept);
  std::vector<LineRun> runs = divided(kept, options.steepest, kWander);
  const double wander = wander_of(runs);
  if (wander > kWander) runs = divided(kept, options.steepest, wander);
  if (runs.empty()) return Reason::Inconsistent;
  for (size_t i = 1; i < runs.size(); ++i)
    if (!meet(runs[i - 1], runs[i])) return Reason::Inconsistent;
  fit.knots = knots_of_bands(kept, {.steepest = options.steepest,
                                    .wander = wander,
                                    .fewest_of_side = kFewestOfSide,
                                    .first_x = options.first_x,
                                    .last_x = options.last_x});
  return fit.knots.empty() ? Reason::Inconsistent : Reason::None;
}

// Marks the constraints of [begin, end) whose delay is far less than that of nearly all others of
// their direction. theta_of(x) is that of a line or a fit. Returns whether there are any.
template <class ThetaOf>
bool leave_out_isolated(std::span<const Constraint> all, size_t begin, size_t end,
                        const ThetaOf& theta_of, OrderedFit& fit) {
  bool has_any = false;
  for (const bool is_high : {false, true}) {
    std::vector<std::pair<double, size_t>> delays;  // with the index
    for (size_t i = begin; i < end; ++i) {
      const Constraint& c = all[i];
      if (fit.is_outlier[i] || c.has_high() != is_high) continue;
      const double theta = theta_of(c.x);
      delays.emplace_back(
          is_high ? static_cast<double>(c.high) - theta : theta - static_cast<double>(c.low), i);
    }
    if (delays.size() < kFewestDelays) continue;
    const auto of_rank = [&](size_t rank) {
      const auto at = delays.begin() + static_cast<ptrdiff_t>(rank);
      std::ranges::nth_element(delays, at);
      return at->first;
    };
    const double half = of_rank(delays.size() / 2), few = of_rank(delays.size() / 10);
    const double least = few - kIsolated * (half - few) - kIsolatedFloorNs;
    for (const auto& [delay, i] : delays) {
      if (delay >= least) continue;
      fit.is_outlier[i] = true;
      has_any = true;
    }
  }
  return has_any;
}

// Returns the expected number of places at which a line satisfies all but `outliers` of `count`
// constraints by chance, if each place satisfies each constraint with probability 1/2.
double places_by_chance(size_t count, size_t outliers) {
  constexpr double kRates = 16;  // lines of other rates that differ in the constraints they satisfy
  constexpr double kLeastShare = 1e-12;  // of the sum, of a term that matters
  const auto n = static_cast<double>(count);
  double sum = 0;
  for (size_t k = outliers + 1; k-- > 0;) {
    const auto chosen = static_cast<double>(k);
    const double term = std::exp(std::lgamma(n + 1) - std::lgamma(chosen + 1) -
                                 std::lgamma(n - chosen + 1) - n * std::numbers::ln2);
    sum += term;
    if (2 * k < count && term <= kLeastShare * sum) break;  // the others are less
  }
  return sum * (n + 1) * kRates;
}

}  // namespace

OrderedFit fit_ordered(std::span<const Constraint> constraints, const OrderedOptions& options) {
  OrderedFit fit;
  fit.is_outlier.assign(constraints.size(), false);
  const auto refuse = [&](Reason reason) {
    fit.reason = reason;
    return fit;
  };
  if (constraints.size() < options.fewest) return refuse(Reason::TooFew);
  const size_t fewest_of_side = std::max<size_t>(
      kFewestOfSide,
      static_cast<size_t>(kLeastShareOfSide * static_cast<double>(constraints.size())));
  if (directions_of(constraints).least() < fewest_of_side) return refuse(Reason::OneSided);
  std::vector<LineWindow> windows;
  if (const Reason reason = find_outliers(constraints, options.steepest, fit, windows);
      reason != Reason::None)
    return refuse(reason);
  const auto outliers = static_cast<size_t>(std::ranges::count(fit.is_outlier, true));
  const bool is_proven = options.are_pairs_certain && outliers == 0;
  if (!is_proven && places_by_chance(constraints.size(), outliers) > kMostByChance)
    return refuse(Reason::TooFew);
  // Of many wrong pairs, some agree with the line of their window. One wrong pair may shorten the
  // least delay. Leaving out a right one loosens the bound only.
  if (outliers > 0 && windows.size() > 1)
    for (const auto& [begin, end, line] : windows)
      leave_out_isolated(
          constraints, begin, end, [&](int64_t x) { return line.at(static_cast<double>(x)); }, fit);
  for (int rounds = 0;; ++rounds) {
    if (const Reason reason = fit_lines(constraints, options, fit); reason != Reason::None)
      return refuse(reason);
    if (outliers == 0 || rounds == kMostRounds ||
        !leave_out_isolated(
            constraints, 0, constraints.size(), [&](int64_t x) { return fit.at(x).theta; }, fit))
      break;
  }
  const Knot &first = fit.knots.front(), &last = fit.knots.back();
  fit.rate = (last.theta - first.theta) / static_cast<double>(last.x - first.x);
  return fit;
}

}  // namespace tracebraid::align
