#include "merge/align/collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "merge/align/equal.h"

namespace tracebraid::align {
namespace {

constexpr int64_t kFloorNs = 10'000;  // also the error of device times that the writer converted
constexpr double kLeastSpan = 1000;   // tolerances
constexpr double kLeastRising = 0.8;  // share of matches that rise in both recordings

struct Pair {
  const Operation *a, *b;
};
// By index of the recordings; the first has the later file.
using Pairs = std::map<std::pair<size_t, size_t>, std::vector<Pair>>;

struct Entry {
  uint64_t key;
  size_t recording;
  const Operation* operation;
};

// Sorts all operations once by key. A key that a recording uses twice matches nothing in it.
Pairs find_pairs(std::span<const RankRecording> recordings) {
  std::vector<Entry> all;
  for (size_t i = 0; i < recordings.size(); ++i)
    for (const Operation& operation : recordings[i].operations)
      all.push_back({operation.key, i, &operation});
  std::ranges::stable_sort(all, {}, [](const Entry& e) { return std::pair(e.key, e.recording); });
  Pairs pairs;
  for (size_t i = 0; i < all.size();) {
    const Entry* hub = nullptr;
    const uint64_t key = all[i].key;
    for (; i < all.size() && all[i].key == key;) {
      const Entry& entry = all[i];
      size_t uses = 0;
      for (; i < all.size() && all[i].key == key && all[i].recording == entry.recording; ++i)
        ++uses;
      if (uses > 1) continue;
      if (hub == nullptr)
        hub = &entry;
      else
        pairs[{entry.recording, hub->recording}].push_back({entry.operation, hub->operation});
    }
  }
  return pairs;
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
  RankFitter(const RankRecording& a, const RankRecording& b, std::vector<Pair> pairs,
             size_t reported)
      : a_(a), b_(b), pairs_(std::move(pairs)), reported_(reported) {
    set_.kind = "collectives";
    set_.match_class = "counted";
    set_.source = EvidenceSource::Collectives;
    set_sides(a, b, set_);
    set_.candidates = static_cast<int64_t>(pairs_.size());
  }

  MatchSet fit(const Trackers& trackers) {
    set_.detail = other_job(a_, b_, pairs_);
    if (!set_.detail.empty()) return refuse(Reason::OtherJob);
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
    set_.used = static_cast<int64_t>(fit.used);
    set_.assumes = "simultaneous_end";
    add_limits(fit, moments);
    return std::move(set_);
  }

 private:
  MatchSet refuse(Reason reason) {
    set_.reason = reason;
    return std::move(set_);
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
  Bases bases_;
  MatchSet set_;
};

}  // namespace

std::string key_text(const RankRecording& recording, const Operation& operation) {
  return fmt::format("{} #{}", recording.groups[operation.group], operation.number);
}

std::vector<MatchSet> match_collectives(std::span<const RankRecording> recordings,
                                        const Trackers& trackers) {
  std::vector<MatchSet> sets;
  Pairs all = find_pairs(recordings);
  const size_t reported = reported_matches(all.size());
  for (auto& [of, pairs] : all)
    sets.push_back(
        RankFitter(recordings[of.first], recordings[of.second], std::move(pairs), reported)
            .fit(trackers));
  return sets;
}

}  // namespace tracebraid::align
