#include "clock/rounds.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tracebraid {
namespace {

// The assumed drift of two clocks.
constexpr double kDriftApart = 100e-6;
constexpr double kSteepest = 500e-6;  // see Change::Drift
constexpr size_t kFewestToFit = 4, kMostToFit = 64;
constexpr size_t kKept = 4;  // of a run
constexpr double kShortestToFitNs = 1e9;

double elapsed(const Observation& a, const Observation& b) {
  return static_cast<double>(b.from) - static_cast<double>(a.from);
}

// Offset against that of `base`, ns.
double offset(const Observation& o, const Observation& base) {
  return (static_cast<double>(o.to) - static_cast<double>(base.to)) - elapsed(base, o);
}

// offset = at + slope * elapsed, against the first observation of the run.
struct Line {
  double at = 0, slope = 0;
};

// Weighted least squares. The weight follows from the duration of a round beyond the quickest.
std::optional<Line> line_through(std::span<const Observation> run) {
  const Observation& base = run.front();
  const int64_t best = std::ranges::min(run, {}, &Observation::uncertainty_ns).uncertainty_ns;
  const double least = static_cast<double>(std::max<int64_t>(best, 10)) / 10;
  double weights = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const Observation& o : run) {
    const double by_chance = static_cast<double>(o.uncertainty_ns - best) + least;
    const double w = 1 / (by_chance * by_chance);
    weights += w;
    x += w * elapsed(base, o);
    y += w * offset(o, base);
  }
  x /= weights;
  y /= weights;
  for (const Observation& o : run) {
    const double by_chance = static_cast<double>(o.uncertainty_ns - best) + least;
    const double w = 1 / (by_chance * by_chance), dx = elapsed(base, o) - x;
    xx += w * dx * dx;
    xy += w * dx * (offset(o, base) - y);
  }
  if (!(xx > 0)) return std::nullopt;
  const double slope = xy / xx;
  if (!(std::abs(slope) <= kSteepest)) return std::nullopt;
  return Line{y - slope * x, slope};
}

double residual(const Line& line, const Observation& o, const Observation& base) {
  return offset(o, base) - (line.at + line.slope * elapsed(base, o));
}

// Returns the line of a run if it lies within the bounds of every round.
std::optional<Line> fit(std::span<const Observation> run) {
  const std::optional<Line> line = line_through(run);
  if (!line) return std::nullopt;
  for (const Observation& o : run)
    if (std::abs(residual(*line, o, run.front())) > static_cast<double>(o.uncertainty_ns) + 1)
      return std::nullopt;
  return line;
}

bool is_enough(std::span<const Observation> run) {
  return run.size() >= kFewestToFit && elapsed(run.front(), run.back()) >= kShortestToFitNs;
}

// Returns the length of the longest run from the front that one line fits, up to the limit; 0 if
// there is none. Searches by doubling and halving.
size_t longest_run(std::span<const Observation> rest) {
  const size_t most = std::min(rest.size(), kMostToFit);
  const auto fits = [&](size_t count) {
    return is_enough(rest.first(count)) && fit(rest.first(count)).has_value();
  };
  size_t good = 0;
  for (size_t count = kFewestToFit; count <= most; count *= 2)
    if (fits(count)) good = count;
  if (most > good && fits(most)) return most;
  size_t bad = good == 0 ? 0 : std::min(2 * good, most);
  while (good != 0 && bad - good > 1) {
    const size_t middle = good + (bad - good) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

// Appends some rounds of the run, moved onto its line. The bound of the line is that of the best
// round plus its distance from the line.
void add_line(std::span<const Observation> run, std::vector<Observation>& out) {
  const Line line = *fit(run);
  const Observation& best = *std::ranges::min_element(run, {}, &Observation::uncertainty_ns);
  const double off =
      static_cast<double>(best.uncertainty_ns) + std::abs(residual(line, best, run.front()));
  for (size_t i = 0; i < kKept; ++i) {
    Observation o = run[i * (run.size() - 1) / (kKept - 1)];
    const auto shift = static_cast<int64_t>(std::llround(residual(line, o, run.front())));
    o.uncertainty_ns = static_cast<int64_t>(std::ceil(off));
    if (!__builtin_sub_overflow(o.to, shift, &o.to)) out.push_back(o);
  }
}

}  // namespace

std::vector<Observation> without_outliers(std::span<const Observation> observations) {
  const std::vector<Observation> sorted = in_time_order(observations);
  std::vector<bool> is_out(sorted.size());
  // The bound of the best round before, extended to this time; then of those after.
  const auto sweep = [&](auto begin, auto end, auto step) {
    double best = INFINITY;
    for (auto i = begin; i != end; i += step) {
      const auto at = static_cast<size_t>(i);
      if (i != begin)
        best += kDriftApart * std::abs(elapsed(sorted[static_cast<size_t>(i - step)], sorted[at]));
      const auto here = static_cast<double>(sorted[at].uncertainty_ns);
      if (2 * best < here) is_out[at] = true;
      best = std::min(best, here);
    }
  };
  const auto count = static_cast<ptrdiff_t>(sorted.size());
  sweep(ptrdiff_t{0}, count, ptrdiff_t{1});
  sweep(count - 1, ptrdiff_t{-1}, ptrdiff_t{-1});
  std::vector<Observation> kept;
  for (size_t i = 0; i < sorted.size(); ++i)
    if (!is_out[i]) kept.push_back(sorted[i]);
  return kept;
}

std::vector<Observation> fit_rounds(std::span<const Observation> observations) {
  const std::vector<Observation> sorted = in_time_order(observations);
  std::vector<Observation> out;
  for (std::span<const Observation> rest = sorted; !rest.empty();) {
    const size_t count = longest_run(rest);
    if (count == 0) {
      out.push_back(rest.front());
      rest = rest.subspan(1);
      continue;
    }
    add_line(rest.first(count), out);
    rest = rest.subspan(count);
  }
  return out;
}

}  // namespace tracebraid
