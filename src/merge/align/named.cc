#include "merge/align/named.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "merge/align/hash.h"

namespace tracebraid::align {
namespace {

constexpr std::array<size_t, 6> kRunLengths{1, 2, 3, 4, 6, 8};
constexpr double kLeastRisingSeeds = 0.8;
constexpr double kLeastExplained = 0.7;  // of what both recordings saw
constexpr double kFewestBits = 40, kBitsBeyondChance = 20;
constexpr size_t kMostSamples = 2000, kNeighbours = 64;  // for the search of other places
constexpr size_t kFewestChanges = 20;                    // of steps that repeat
constexpr uint64_t kNoStep = 0;                          // between threads
constexpr double kTimesBetter = 3;                       // residuals of steps against their spread
constexpr size_t kLags = 4;  // the distance of events that are far from each other: all by this
constexpr double kMostWandering = 1.5, kGrainNs = 100;
constexpr size_t kFewMoments = 64;  // whose changes are uncertain
constexpr double kMostWanderingOfFew = 3;
constexpr double kLeastNoise = 1e-3;  // of the time from event to event, in any two runs
constexpr double kTimesLarger = 10;   // noise that two runs would have, than what is seen
constexpr size_t kFewestForBlocks = 64, kMomentsOfBlocks = 256;
constexpr size_t kFewBlocks = 8, kBlocks = 16;
constexpr double kTimesSmaller = 3;  // changes between blocks, than those of two runs
constexpr double kExactShare = 0.9;  // of steps that differ by no more than the resolution

using Pair = NamedFit::Pair;

double quantile_of(std::vector<double>& values, double share) {
  const auto at =
      values.begin() + static_cast<ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, at);
  return *at;
}

// The events of one recording whose names the other one has, too.
class Events {
 public:
  Events(std::span<const NamedEvent> all, const absl::flat_hash_map<uint64_t, uint32_t>& common) {
    absl::flat_hash_map<uint32_t, uint64_t> last;  // symbol by thread
    absl::flat_hash_map<uint64_t, uint32_t> steps, befores;
    for (uint32_t i = 0; i < all.size(); ++i) {
      if (!common.contains(all[i].symbol)) continue;
      indexes.push_back(i);
      by_symbol[all[i].symbol].push_back(i);
      uint64_t& before = last[all[i].thread];
      step.push_back(mix(mix(1, before), all[i].symbol));
      came_after.push_back(before);
      ++steps[step.back()];
      ++befores[before];
      before = all[i].symbol;
    }
    const auto alphabet = static_cast<double>(by_symbol.size());
    for (size_t k = 0; k < indexes.size(); ++k)
      chance.push_back((steps[step[k]] + 1.0) / (befores[came_after[k]] + alphabet));
  }

  std::vector<uint32_t> indexes;  // of all events
  std::vector<uint64_t> step, came_after;
  std::vector<double> chance;  // of the symbol after the one before
  absl::flat_hash_map<uint64_t, std::vector<uint32_t>> by_symbol;
};

// Runs of symbols that occur once: the last event of each.
absl::flat_hash_map<uint64_t, uint32_t> unique_runs(std::span<const NamedEvent> all,
                                                    const Events& events, size_t length) {
  constexpr uint32_t kRepeated = ~uint32_t{0};
  absl::flat_hash_map<uint64_t, uint32_t> runs;
  absl::flat_hash_map<uint32_t, std::vector<uint64_t>> last;  // symbols by thread
  for (const uint32_t i : events.indexes) {
    std::vector<uint64_t>& before = last[all[i].thread];
    if (before.size() == length) before.erase(before.begin());
    before.push_back(all[i].symbol);
    if (before.size() < length) continue;
    uint64_t hash = length;
    for (const uint64_t symbol : before) hash = mix(hash, symbol);
    const auto [at, added] = runs.try_emplace(hash, i);
    if (!added) at->second = kRepeated;
  }
  absl::erase_if(runs, [](const auto& run) { return run.second == kRepeated; });
  return runs;
}

// Returns the longest chain of pairs that rises in both recordings. Requires: sorted by a.
std::vector<Pair> rising_chain(std::span<const Pair> pairs, std::span<const NamedEvent> b) {
  constexpr size_t kNothing = ~size_t{0};
  std::vector<size_t> ends, before(pairs.size(), kNothing);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const int64_t at = b[pairs[i].b].at;
    const auto end =
        std::ranges::upper_bound(ends, at, {}, [&](size_t k) { return b[pairs[k].b].at; });
    if (end != ends.begin()) before[i] = *std::prev(end);
    if (end == ends.end())
      ends.push_back(i);
    else
      *end = i;
  }
  std::vector<Pair> chain;
  for (size_t i = ends.empty() ? kNothing : ends.back(); i != kNothing; i = before[i])
    chain.push_back(pairs[i]);
  std::ranges::reverse(chain);
  return chain;
}

class NamedFitter {
 public:
  NamedFitter(std::span<const NamedEvent> a, std::span<const NamedEvent> b, int64_t first,
              int64_t last, const NamedOptions& options,
              const absl::flat_hash_map<uint64_t, uint32_t>& common)
      : a_(a),
        b_(b),
        first_(first),
        last_(last),
        options_(options),
        of_a_(a, common),
        of_b_(b, common) {
    for (size_t k = 0; k < of_b_.indexes.size(); ++k) chance_in_b_[of_b_.step[k]] = of_b_.chance[k];
  }

  NamedFit fit() {
    result_.candidates = std::min(of_a_.indexes.size(), of_b_.indexes.size());
    if (result_.candidates < options_.fewest) return refuse(Reason::TooFew);
    if (!find_line()) {
      find_period();
      return refuse(is_periodic() ? Reason::Aliased : reason_);
    }
    explain();
    if (result_.pairs.size() < options_.fewest) return refuse(Reason::TooFew);
    if (!is_whole() || has_rival()) return refuse(Reason::Aliased);
    const auto chances = std::log2(static_cast<double>(of_a_.indexes.size())) +
                         std::log2(static_cast<double>(of_b_.indexes.size()));
    if (result_.surprise_bits < std::max(kFewestBits, kBitsBeyondChance + chances))
      return refuse(Reason::TooFew);
    if (!is_same_run()) return refuse(Reason::NotSame);
    EqualFit refined = fit_pairs(result_.pairs);
    if (refined.reason != Reason::None) return refuse(refined.reason);
    result_.fit = std::move(refined);
    return std::move(result_);
  }

 private:
  NamedFit refuse(Reason reason) {
    result_.reason = reason;
    return std::move(result_);
  }

  EqualFit fit_pairs(std::span<const Pair> pairs) {
    std::vector<Moment> moments;
    for (const Pair& pair : pairs) {
      const auto x = difference(a_[pair.a].at, result_.bases.a);
      const auto y = difference(b_[pair.b].at, result_.bases.b);
      if (!x || !y) return {.reason = Reason::Inconsistent};
      moments.push_back({*x, *y - *x});
    }
    return fit_equal(moments, {.floor_ns = options_.floor_ns,
                               .most_tolerance_ns = options_.most_tolerance_ns,
                               .fewest = options_.fewest,
                               .first_x = difference(first_, result_.bases.a).value_or(0),
                               .last_x = difference(last_, result_.bases.a).value_or(0)});
  }

  // Fits the moments that the shortest runs of symbols identify.
  bool find_line() {
    for (const size_t length : kRunLengths) {
      const auto in_a = unique_runs(a_, of_a_, length), in_b = unique_runs(b_, of_b_, length);
      std::vector<Pair> seeds;
      for (const auto& [run, at] : in_a)
        if (const auto other = in_b.find(run); other != in_b.end())
          seeds.push_back({at, other->second});
      if (seeds.size() < options_.fewest) continue;
      std::ranges::sort(seeds, {}, [](const Pair& p) { return std::pair(p.a, p.b); });
      const std::vector<Pair> chain = rising_chain(seeds, b_);
      if (static_cast<double>(chain.size()) <
          kLeastRisingSeeds * static_cast<double>(seeds.size())) {
        reason_ = Reason::OutOfOrder;
        continue;
      }
      result_.bases = {a_[chain.front().a].at, b_[chain.front().b].at};
      result_.fit = fit_pairs(chain);
      reason_ = result_.fit.reason;
      if (reason_ == Reason::None) return true;
    }
    return false;
  }

  // The reading of b that the line says, as difference to the base; nothing if it is too far away.
  std::optional<double> predicted(const NamedEvent& event) const {
    const auto x = difference(event.at, result_.bases.a);
    if (!x) return std::nullopt;
    return static_cast<double>(*x) + result_.fit.at(*x).theta;
  }
  double distance(const NamedEvent& of_b, double at) const {
    const auto y = difference(of_b.at, result_.bases.b);
    return y ? static_cast<double>(*y) - at : INFINITY;
  }

  // Returns the events of b with the symbol, and the index of the first one at or after `at`.
  std::pair<std::span<const uint32_t>, size_t> equal_events(uint64_t symbol, double at) const {
    const std::vector<uint32_t>& all = of_b_.by_symbol.find(symbol)->second;
    const auto found =
        std::ranges::partition_point(all, [&](uint32_t i) { return distance(b_[i], at) < 0; });
    return {all, static_cast<size_t>(found - all.begin())};
  }

  // Finds the pairs of events that the line explains, each event once.
  void explain() {
    const double window = 2 * result_.fit.tolerance_ns;
    std::vector<bool> is_used(b_.size());
    overlap_a_ = 0;
    const double b_first = distance(b_[of_b_.indexes.front()], 0),
                 b_last = distance(b_[of_b_.indexes.back()], 0);
    double low = INFINITY, high = -INFINITY;  // of a, by the line
    for (size_t k = 0; k < of_a_.indexes.size(); ++k) {
      const NamedEvent& event = a_[of_a_.indexes[k]];
      const std::optional<double> at = predicted(event);
      if (!at) continue;
      low = std::min(low, *at);
      high = std::max(high, *at);
      overlap_a_ += *at >= b_first - window && *at <= b_last + window ? 1 : 0;
      const auto [all, from] = equal_events(event.symbol, *at);
      uint32_t best = ~uint32_t{0};
      for (const size_t i : {from, from - 1})
        if (i < all.size() && !is_used[all[i]] && std::abs(distance(b_[all[i]], *at)) <= window &&
            (best == ~uint32_t{0} ||
             std::abs(distance(b_[all[i]], *at)) < std::abs(distance(b_[best], *at))))
          best = all[i];
      if (best == ~uint32_t{0}) continue;
      is_used[best] = true;
      result_.pairs.push_back({of_a_.indexes[k], best});
      explained_.push_back(k);
    }
    overlap_b_ = static_cast<size_t>(std::ranges::count_if(of_b_.indexes, [&](uint32_t i) {
      const double at = distance(b_[i], 0);
      return at >= low - window && at <= high + window;
    }));
    for (const size_t k : explained_) result_.surprise_bits += bits(k);
  }

  // Surprise of the k-th event of a after the one before it.
  double bits(size_t k) const {
    double chance = of_a_.chance[k];
    const auto at = chance_in_b_.find(of_a_.step[k]);
    if (at != chance_in_b_.end()) chance = std::max(chance, at->second);
    return -std::log2(std::min(1.0, chance));
  }

  bool is_whole() const {
    return static_cast<double>(result_.pairs.size()) >=
           kLeastExplained * static_cast<double>(std::min(overlap_a_, overlap_b_));
  }

  // Whether events explain another place half as well as the one found.
  bool has_rival() {
    const double tolerance = result_.fit.tolerance_ns, cell = 2 * tolerance;
    absl::flat_hash_map<int64_t, double> votes;
    double all = 0;
    const size_t stride = explained_.size() / kMostSamples + 1;
    for (size_t e = 0; e < explained_.size(); e += stride) {
      const size_t k = explained_[e];
      const NamedEvent& event = a_[of_a_.indexes[k]];
      const double at = *predicted(event), weight = bits(k);
      all += weight;
      const auto [events, from] = equal_events(event.symbol, at);
      const size_t begin = from - std::min(from, kNeighbours);
      const size_t end = std::min(events.size(), from + kNeighbours);
      for (size_t i = begin; i < end; ++i)
        if (const double lag = distance(b_[events[i]], at); std::abs(lag) > 4 * tolerance)
          votes[std::llround(std::floor(lag / cell))] += weight;
    }
    return note_rivals(votes, cell, all / 2);
  }

  // Notes the places with at least `least` votes.
  bool note_rivals(const absl::flat_hash_map<int64_t, double>& votes, double cell, double least) {
    std::vector<int64_t> peaks;
    for (const auto& [at, of_cell] : votes) {
      const auto next = votes.find(at + 1);
      if (of_cell + (next == votes.end() ? 0 : next->second) >= least) peaks.push_back(at);
    }
    std::ranges::sort(peaks);
    // Neighbouring cells are one place.
    std::vector<double> places, apart;
    for (size_t i = 0; i < peaks.size(); ++i)
      if (i == 0 || peaks[i] > peaks[i - 1] + 2)
        places.push_back((static_cast<double>(peaks[i]) + 1) * cell);
    for (size_t i = 0; i < places.size(); ++i)
      apart.push_back(i == 0 ? std::abs(places[i]) : places[i] - places[i - 1]);
    result_.alias_count = static_cast<int64_t>(places.size());
    if (!places.empty()) result_.alias_period_ns = std::llround(quantile_of(apart, 0.5));
    return !places.empty();
  }

  // Finds how regularly the commonest symbol repeats, if nothing else identifies a place.
  void find_period() {
    const std::vector<uint32_t>* most = nullptr;
    uint64_t symbol = 0;
    for (const auto& [of, events] : of_a_.by_symbol)
      if (most == nullptr || std::pair(events.size(), of) > std::pair(most->size(), symbol)) {
        most = &events;
        symbol = of;
      }
    if (most == nullptr || most->size() < options_.fewest) return;
    std::vector<double> steps;
    for (size_t i = 1; i < most->size(); ++i)
      if (const auto step = difference(a_[(*most)[i]].at, a_[(*most)[i - 1]].at))
        steps.push_back(static_cast<double>(*step));
    if (steps.empty()) return;
    std::vector<double> sorted = steps;
    period_ = quantile_of(sorted, 0.5);
    if (period_ <= 0) return;
    periodic_share_ =
        static_cast<double>(std::ranges::count_if(
            steps, [&](double step) { return std::abs(step - period_) < period_ / 10; })) /
        static_cast<double>(steps.size());
    if (!is_periodic()) return;
    const double length = static_cast<double>(last_) - static_cast<double>(first_);
    result_.alias_period_ns = std::llround(period_);
    result_.alias_count = std::llround(std::min(1e15, 2 * length / period_));
  }
  bool is_periodic() const { return periodic_share_ >= 0.5; }

  // Whether the times are those of one run, see fit_named().
  bool is_same_run() const {
    absl::flat_hash_map<uint32_t, std::vector<size_t>> by_thread;  // indexes of pairs
    for (size_t i = 0; i < result_.pairs.size(); ++i)
      by_thread[a_[result_.pairs[i].a].thread].push_back(i);
    std::vector<uint32_t> threads;
    for (const auto& [thread, pairs] : by_thread) threads.push_back(thread);
    std::ranges::sort(threads);
    // Threads follow each other, with a step of a type of its own between them.
    std::vector<int64_t> at_a, at_b;
    std::vector<uint64_t> types;
    for (const uint32_t thread : threads) {
      const std::vector<size_t>& pairs = by_thread.find(thread)->second;
      for (size_t i = 0; i < pairs.size(); ++i) {
        const Pair& pair = result_.pairs[pairs[i]];
        at_a.push_back(a_[pair.a].at);
        at_b.push_back(b_[pair.b].at);
        if (at_a.size() > 1)
          types.push_back(
              i == 0 ? kNoStep
                     : mix(mix(1, a_[result_.pairs[pairs[i - 1]].a].symbol), a_[pair.a].symbol));
      }
    }
    if (!are_steps_surprising(at_a, at_b, types)) return false;
    std::vector<Moment> moments;
    for (const Pair& pair : result_.pairs) {
      const auto x = difference(a_[pair.a].at, result_.bases.a);
      const auto y = difference(b_[pair.b].at, result_.bases.b);
      if (x && y) moments.push_back({*x, *y - *x});
    }
    return !may_wander(moments, result_.fit.rate, options_.least_noise) &&
           !are_exact_copies(at_a, at_b, result_.fit.rate);
  }

  std::span<const NamedEvent> a_, b_;
  int64_t first_, last_;
  const NamedOptions& options_;
  Events of_a_, of_b_;
  absl::flat_hash_map<uint64_t, double> chance_in_b_;  // by step
  NamedFit result_;
  Reason reason_ = Reason::TooFew;
  std::vector<size_t> explained_;  // indexes of of_a_.indexes
  size_t overlap_a_ = 0, overlap_b_ = 0;
  double period_ = 0, periodic_share_ = 0;
};

}  // namespace

bool are_steps_surprising(std::span<const int64_t> a, std::span<const int64_t> b,
                          std::span<const uint64_t> types) {
  struct Step {
    double in_a = 0, in_b = 0;
  };
  // The changes of steps of one type from one time to the next.
  std::vector<Step> changes;
  absl::flat_hash_map<uint64_t, Step> last;  // by type
  double sum_a = 0, sum_b = 0;
  for (size_t i = 1; i < a.size(); ++i) {
    const auto in_a = difference(a[i], a[i - 1]), in_b = difference(b[i], b[i - 1]);
    if (types[i - 1] == kNoStep || !in_a || !in_b) continue;
    const Step step{static_cast<double>(*in_a), static_cast<double>(*in_b)};
    sum_a += step.in_a;
    sum_b += step.in_b;
    const auto [at, added] = last.try_emplace(types[i - 1], step);
    if (!added) changes.push_back({step.in_a - at->second.in_a, step.in_b - at->second.in_b});
    at->second = step;
  }
  if (changes.size() < kFewestChanges || sum_a <= 0) return false;
  const double rate = sum_b / sum_a;
  std::vector<double> spread, residuals;
  for (const Step& change : changes) {
    spread.push_back(std::abs(change.in_a));
    residuals.push_back(std::abs(change.in_b - change.in_a * rate));
  }
  constexpr double kSmallShare = 0.3;  // lost events make some steps long, also of a clockwork
  return quantile_of(spread, kSmallShare) > kTimesBetter * quantile_of(residuals, 0.5);
}

namespace {

// Removes the line of least squares from values at equal distances.
void remove_line(std::vector<double>& values) {
  const double middle = static_cast<double>(values.size() - 1) / 2;
  double mean = 0, xx = 0, xy = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i) - middle;
    xx += x * x;
    xy += x * (values[i] - mean);
  }
  for (size_t i = 0; i < values.size(); ++i)
    values[i] -= mean + xy / xx * (static_cast<double>(i) - middle);
}

// Returns how much the medians of blocks of residuals change from block to block: the noise of
// recorders averages out, that of the steps of a program adds up.
double change_of_blocks(std::span<const double> residuals, size_t count) {
  std::vector<double> medians;
  for (size_t i = 0; i < count; ++i) {
    const size_t begin = residuals.size() * i / count, end = residuals.size() * (i + 1) / count;
    std::vector<double> block(residuals.begin() + static_cast<ptrdiff_t>(begin),
                              residuals.begin() + static_cast<ptrdiff_t>(end));
    medians.push_back(quantile_of(block, 0.5));
  }
  remove_line(medians);
  double squares = 0;
  for (size_t i = 1; i < count; ++i)
    squares += (medians[i] - medians[i - 1]) * (medians[i] - medians[i - 1]);
  return std::sqrt(squares / static_cast<double>(count - 1));
}

// Returns the resolution of readings: a power of ten that divides all of them, ns.
int64_t resolution_of(std::span<const int64_t> readings) {
  constexpr int64_t kCoarsest = 1'000'000'000;
  int64_t ns = kCoarsest;
  for (const int64_t reading : readings)
    while (ns > 1 && reading % ns != 0) ns /= 10;
  return ns;
}

}  // namespace

bool may_wander(std::span<const Moment> moments, double rate, double least_noise) {
  if (moments.size() < 2 * kLags) return true;
  std::vector<double> residuals;  // of one line, which does not follow such changes
  double squares = 0;
  for (size_t i = 0; i < moments.size(); ++i) {
    const auto x = static_cast<double>(moments[i].x);
    residuals.push_back(static_cast<double>(moments[i].y) - rate * x);
    const double step = i == 0 ? 0 : x - static_cast<double>(moments[i - 1].x);
    squares += step * step;
  }
  const auto change = [&](size_t lag) {
    std::vector<double> changes;
    for (size_t i = 0; i + lag < residuals.size(); ++i)
      changes.push_back(std::abs(residuals[i + lag] - residuals[i]));
    return quantile_of(changes, 0.5);
  };
  const double near = change(1) + kGrainNs, of_two_runs = kLeastNoise * std::sqrt(squares);
  const double most = moments.size() < kFewMoments ? kMostWanderingOfFew : kMostWandering;
  if (of_two_runs < kTimesLarger * near || change(moments.size() / kLags) > most * near)
    return true;
  if (moments.size() < kFewestForBlocks) return false;
  const size_t blocks = moments.size() < kMomentsOfBlocks ? kFewBlocks : kBlocks;
  // The means of neighbouring parts of a random walk differ by sqrt(2/3) of what a part adds.
  const double of_blocks = least_noise * std::sqrt(squares / static_cast<double>(blocks) * 2 / 3);
  return kTimesSmaller * change_of_blocks(residuals, blocks) > of_blocks;
}

bool are_exact_copies(std::span<const int64_t> a, std::span<const int64_t> b, double rate) {
  const auto resolution = static_cast<double>(std::max(resolution_of(a), resolution_of(b)));
  size_t steps = 0, exact = 0;
  for (size_t i = 1; i < a.size(); ++i) {
    const auto in_a = difference(a[i], a[i - 1]), in_b = difference(b[i], b[i - 1]);
    if (!in_a || !in_b) continue;
    const auto step = static_cast<double>(*in_a);
    ++steps;
    const double apart = static_cast<double>(*in_b) - step * (1 + rate);
    exact += std::abs(apart) <= 1.5 * resolution ? 1 : 0;
  }
  return static_cast<double>(exact) >= kExactShare * static_cast<double>(steps);
}

NamedFit fit_named(std::span<const NamedEvent> a, std::span<const NamedEvent> b, int64_t first,
                   int64_t last, const NamedOptions& options) {
  // Many small files may be compared with one large file.
  if (std::min(a.size(), b.size()) < options.fewest) {
    NamedFit none;
    none.reason = Reason::TooFew;
    return none;
  }
  absl::flat_hash_map<uint64_t, uint32_t> common, in_a;
  for (const NamedEvent& event : a) ++in_a[event.symbol];
  for (const NamedEvent& event : b)
    if (in_a.contains(event.symbol)) ++common[event.symbol];
  return NamedFitter(a, b, first, last, options, common).fit();
}

}  // namespace tracebraid::align
