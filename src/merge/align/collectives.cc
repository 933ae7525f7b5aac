#include "merge/align/collectives.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "merge/align/equal.h"
#include "merge/align/hash.h"
#include "merge/align/lags.h"
#include "merge/align/named.h"

namespace tracebraid::align {
namespace {

constexpr int64_t kFloorNs = 10'000;  // also the error of device times that the writer converted
constexpr double kLeastSpan = 1000;   // tolerances
constexpr size_t kFewestUnnumbered = 20;  // matches of operations without numbers
constexpr double kLeastRunNoise = 3e-4;   // of each step, in two runs of a job
constexpr size_t kMostJobs = 16;          // whose operations have one name and number
constexpr int kMostHubs = 4;              // recordings that a recording is compared with
constexpr double kLeastRising = 0.8;      // share of matches that rise in both recordings

struct Pair {
  const Operation *a, *b;
};
// By index of the recordings; the first has the later file.
using Pairs = std::map<std::pair<size_t, size_t>, std::vector<Pair>>;

struct Entry {
  uint64_t key, job;
  size_t recording;
  const Operation* operation;
};

struct FoundPairs {
  Pairs pairs;
  Pairs strangers;  // of equal names and numbers, but in groups of other jobs
};

// Returns a hash that all ranks of the group of an operation have.
uint64_t job_of(const RankRecording& recording, const Operation& operation) {
  return mix(mix(1, static_cast<uint64_t>(recording.world_size.value_or(0))), operation.ranks);
}

// Sorts the operations of some recordings once by key. A key that a recording uses twice matches
// nothing in it.
FoundPairs find_pairs(std::span<const RankRecording> recordings, const std::vector<bool>& some) {
  std::vector<Entry> all;
  for (size_t i = 0; i < recordings.size(); ++i)
    for (const Operation& operation : recordings[i].operations)
      if (some[i]) all.push_back({operation.key, job_of(recordings[i], operation), i, &operation});
  std::ranges::stable_sort(all, {}, [](const Entry& e) { return std::pair(e.key, e.recording); });
  FoundPairs found;
  for (size_t i = 0; i < all.size();) {
    std::vector<const Entry*> hubs;  // the first recording of each job
    const uint64_t key = all[i].key;
    for (; i < all.size() && all[i].key == key;) {
      const Entry& entry = all[i];
      size_t uses = 0;
      for (; i < all.size() && all[i].key == key && all[i].recording == entry.recording; ++i)
        ++uses;
      if (uses > 1) continue;
      const auto hub = std::ranges::find(hubs, entry.job, [](const Entry* e) { return e->job; });
      if (hub != hubs.end()) {
        found.pairs[{entry.recording, (*hub)->recording}].push_back(
            {entry.operation, (*hub)->operation});
        continue;
      }
      if (!hubs.empty())
        found.strangers[{entry.recording, hubs.front()->recording}].push_back(
            {entry.operation, hubs.front()->operation});
      if (hubs.size() < kMostJobs) hubs.push_back(&entry);
    }
  }
  return found;
}

// Pairs each of some recordings without numbers with the first one that has an equal operation.
std::set<std::pair<size_t, size_t>> find_unnumbered(std::span<const RankRecording> recordings,
                                                    const std::vector<bool>& some) {
  absl::flat_hash_map<uint64_t, size_t> first;  // recording by key
  std::set<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0; i < recordings.size(); ++i) {
    size_t hub = i;
    for (const Operation& operation : recordings[i].unnumbered)
      if (some[i]) hub = std::min(hub, first.try_emplace(operation.key, i).first->second);
    if (hub != i) pairs.emplace(i, hub);
  }
  return pairs;
}

std::vector<SymbolTime> symbols_of(std::span<const Operation> operations) {
  std::vector<SymbolTime> symbols;
  for (const Operation& operation : operations) symbols.push_back({operation.key, operation.end});
  return symbols;
}

// Returns why the two files are not ranks of one job; empty if they are.
std::string other_job(const RankRecording& a, const RankRecording& b, std::span<const Pair> pairs) {
  if (!a.rank || !b.rank || !a.world_size || !b.world_size)
    return "a file does not state its rank and the number of ranks";
  if (*a.world_size != *b.world_size)
    return fmt::format("{} ranks against {}", *a.world_size, *b.world_size);
  if (*a.rank == *b.rank) return fmt::format("both are rank {}", *a.rank);
  const auto differs = [](const Pair& pair) {
    return pair.a->ranks != 0 && pair.b->ranks != 0 && pair.a->ranks != pair.b->ranks;
  };
  return std::ranges::any_of(pairs, differs) ? "groups of one name have different ranks" : "";
}

// Fits one pair of recordings.
class RankFitter {
 public:
  RankFitter(EvidenceSource source, const RankRecording& a, const RankRecording& b,
             std::vector<Pair> pairs, size_t reported, bool is_unnumbered)
      : a_(a), b_(b), pairs_(std::move(pairs)), reported_(reported), is_unnumbered_(is_unnumbered) {
    set_.kind = name_of(set_.evidence, source);
    set_.match_class = is_unnumbered ? "run" : "counted";
    set_.source = source;
    set_sides(a, b, set_);
    set_.candidates = static_cast<int64_t>(pairs_.size());
  }

  MatchSet fit(const Trackers& trackers) {
    set_.detail = other_job(a_, b_, pairs_);
    if (!set_.detail.empty()) return refuse(Reason::OtherJob);
    if (is_unnumbered_ && !pair_unnumbered()) return std::move(set_);
    std::ranges::stable_sort(pairs_, {}, [](const Pair& pair) { return pair.a->end; });
    bases_ = {pairs_.front().a->end, pairs_.front().b->end};
    std::vector<int64_t> ends_of_b;
    for (const Pair& pair : pairs_) ends_of_b.push_back(pair.b->end);
    const auto rising = static_cast<double>(longest_rising(ends_of_b));
    if (rising < kLeastRising * static_cast<double>(pairs_.size()))
      return refuse(Reason::OutOfOrder);
    const std::vector<Moment> moments = moments_of_ends();
    EqualOptions options{.floor_ns = kFloorNs};
    set_range(a_.side, trackers, bases_, options);
    const EqualFit fit = fit_equal(moments, options);
    set_.outliers = static_cast<int64_t>(std::ranges::count(fit.is_outlier, true));
    set_.rate_ppb = ppb(fit.rate);
    const auto match_of = [&](size_t i) {
      const Pair& pair = pairs_[i];
      return Match{
          .key = key_text(a_, *pair.a), .reading_a = pair.a->end, .reading_b = pair.b->end};
    };
    add_matches(pairs_.size(), fit, bases_, reported_, match_of, set_);
    if (fit.reason != Reason::None) return refuse(fit.reason);
    // Two runs of one job number the same operations, but repeat their times less exactly.
    const double span =
        static_cast<double>(moments.back().x) - static_cast<double>(moments.front().x);
    if (fit.tolerance_ns * kLeastSpan > span) {
      set_.detail = "two runs of one job could agree as well as these few operations";
      return refuse(Reason::NotSame);
    }
    if (is_unnumbered_ && may_wander(moments, fit.rate, kLeastRunNoise)) {
      set_.detail = "the times could be those of two runs of the job";
      return refuse(Reason::NotSame);
    }
    set_.used = static_cast<int64_t>(fit.used + one_sided_);
    set_.assumes = "simultaneous_end";
    add_limits(fit, moments);
    return std::move(set_);
  }

 private:
  MatchSet refuse(Reason reason) {
    set_.reason = reason;
    return std::move(set_);
  }

  // Pairs operations without numbers. Those that need not end together prove the place only.
  bool pair_unnumbered() {
    const LagPairs found = pair_by_lag(symbols_of(a_.unnumbered), symbols_of(b_.unnumbered));
    set_.candidates = static_cast<int64_t>(std::min(a_.unnumbered.size(), b_.unnumbered.size()));
    set_.reason = found.pairs.size() < kFewestUnnumbered && found.reason == Reason::None
                      ? Reason::TooFew
                      : found.reason;
    set_.alias_period_ns = found.alias_period_ns;
    if (found.alias_period_ns) {
      set_.alias_count = found.alias_count;
      set_.detail = alias_text(*found.alias_period_ns, found.alias_count);
    } else if (set_.reason == Reason::Aliased) {
      set_.detail = "less than 70 % of the operations of both files fit any place";
    }
    for (const auto& [a, b] : found.pairs) {
      const Pair pair{&a_.unnumbered[a], &b_.unnumbered[b]};
      if (pair.a->ends_together)
        pairs_.push_back(pair);
      else
        ++one_sided_;
    }
    if (pairs_.empty() && set_.reason == Reason::None) set_.reason = Reason::TooFew;
    return set_.reason == Reason::None;
  }

  // Matches whose readings are too far from the first one are dropped.
  std::vector<Moment> moments_of_ends() {
    std::vector<Moment> moments;
    std::erase_if(pairs_, [&](const Pair& pair) {
      const auto x = difference(pair.a->end, bases_.a), to = difference(pair.b->end, bases_.b);
      if (!x || !to || !difference(pair.a->start, bases_.a) || !difference(pair.b->start, bases_.b))
        return true;
      moments.push_back({*x, *to - *x});
      return false;
    });
    return moments;
  }

  // Applies what holds without an assumption: no rank ends before the other has begun.
  void add_limits(const EqualFit& fit, std::span<const Moment> moments) {
    std::vector<Constraint> limits;
    for (size_t i = 0; i < pairs_.size(); ++i) {
      if (fit.is_outlier[i]) continue;
      const Pair& pair = pairs_[i];
      limits.push_back(effect_in_b(pair.a->start - bases_.a, pair.b->end - bases_.b, -kFloorNs));
      limits.push_back(effect_in_a(pair.a->end - bases_.a, pair.b->start - bases_.b, -kFloorNs));
    }
    size_t broken = 0;
    for (const Constraint& limit : limits) {
      const Knot knot = fit.at(limit.x);
      const bool is_broken =
          (limit.has_high() && knot.theta - knot.bound_ns > static_cast<double>(limit.high)) ||
          (limit.has_low() && knot.theta + knot.bound_ns < static_cast<double>(limit.low));
      broken += is_broken ? 1 : 0;
    }
    if (broken * 4 > limits.size()) {
      set_.reason = Reason::Inconsistent;
      return;
    }
    const int64_t middle = moments[moments.size() / 2].x;
    set_fit(fit.knots, bases_, middle, set_);
    if (const auto lines = feasible_lines(limits, EqualOptions{}.steepest)) {
      const Band band = lines->band(static_cast<double>(middle));
      set_.band_low_ns = offset_of(bases_, band.low);
      set_.band_high_ns = offset_of(bases_, band.high);
    }
  }

  const RankRecording &a_, &b_;
  std::vector<Pair> pairs_;
  size_t reported_;  // matches
  bool is_unnumbered_;
  size_t one_sided_ = 0;  // matches of operations that need not end together
  Bases bases_;
  MatchSet set_;
};

}  // namespace

std::string key_text(const RankRecording& recording, const Operation& operation) {
  const std::string& group = recording.groups[operation.group];
  return recording.operations.empty() ? group : fmt::format("{} #{}", group, operation.number);
}

std::vector<MatchSet> match_collectives(std::span<const RankRecording> recordings,
                                        const Trackers& trackers, EvidenceSource source) {
  std::vector<MatchSet> sets;
  std::set<std::pair<size_t, size_t>> tried;
  std::vector<bool> some(recordings.size(), true), is_placed(recordings.size());
  for (int round = 0; round < kMostHubs; ++round) {
    FoundPairs found = find_pairs(recordings, some);
    const auto unnumbered = find_unnumbered(recordings, some);
    const size_t reported = reported_matches(found.pairs.size() + unnumbered.size());
    some.assign(recordings.size(), false);
    const auto add = [&](size_t a, size_t b, std::vector<Pair> pairs, bool is_unnumbered) {
      if (!tried.emplace(a, b).second) return;
      RankFitter fitter(source, recordings[a], recordings[b], std::move(pairs), reported,
                        is_unnumbered);
      MatchSet& set = sets.emplace_back(fitter.fit(trackers));
      is_placed[a] = is_placed[a] || set.reason == Reason::None;
      is_placed[b] = is_placed[b] || set.reason == Reason::None;
      // The ones of another job or run than the first recording may fit each other.
      some[a] = some[a] || (set.reason != Reason::None && set.reason != Reason::Aliased);
    };
    for (auto& [of, pairs] : found.pairs) add(of.first, of.second, std::move(pairs), false);
    for (const auto& [a, b] : unnumbered) add(a, b, {}, true);
    for (auto& [of, pairs] : found.strangers)
      if (round == 0 && (!is_placed[of.first] || !is_placed[of.second]))
        add(of.first, of.second, std::move(pairs), false);
    for (size_t i = 0; i < some.size(); ++i) some[i] = some[i] && !is_placed[i];
    if (std::ranges::count(some, true) < 2) break;
  }
  return sets;
}

}  // namespace tracebraid::align
