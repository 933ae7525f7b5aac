#include "merge/align/texts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "base/median.h"
#include "merge/align/named.h"

namespace tracebraid::align {
namespace {

constexpr EqualOptions kTextFit{.floor_ns = 500'000, .most_tolerance_ns = 5'000'000, .fewest = 8};
constexpr float kFewestTextBits = 24;
constexpr size_t kLongestKey = 200;        // bytes of a text in a report
constexpr double kLeastRisingTexts = 0.8;  // share of matches that rise in both recordings
constexpr double kLeastTextSpan = 1000;    // tolerances
constexpr double kMostOfDistance = 0.1;    // residual, of the distance between matches
constexpr double kMostOtherPids = 0.1;     // share of matches
constexpr double kLeastTextNoise = 3e-4;   // of each step, in two runs
constexpr double kRegularShare = 0.5;      // of matches that fit the texts after them, too

struct TextPair {
  const LogText *a, *b;
};
// By index of the recordings; the first has the later file.
using TextPairs = std::map<std::pair<uint32_t, uint32_t>, std::vector<TextPair>>;

// Sorts all texts once by key, so that recordings are never compared in pairs.
TextPairs pair_texts(const LogTexts& all) {
  std::vector<const LogText*> sorted;
  for (const LogText& text : all.texts)
    if (text.surprise >= kFewestTextBits) sorted.push_back(&text);
  std::ranges::sort(sorted, {}, [](const LogText* t) {
    return std::tuple(t->key, t->check, t->recording, t->at);
  });
  TextPairs pairs;
  for (size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    const LogText& first = *sorted[begin];
    for (end = begin;
         end < sorted.size() && sorted[end]->key == first.key && sorted[end]->check == first.check;
         ++end)
      if (all.recordings[sorted[end]->recording].file != all.recordings[first.recording].file)
        pairs[{sorted[end]->recording, first.recording}].push_back({sorted[end], &first});
  }
  return pairs;
}

class TextFitter {
 public:
  TextFitter(const Recording& a, const Recording& b, std::vector<TextPair> pairs, size_t reported)
      : pairs_(std::move(pairs)), reported_(reported) {
    set_.kind = "logs";
    set_.match_class = "text";
    set_.evidence = EvidenceKind::Measured;
    set_.source = EvidenceSource::Logs;
    set_sides(a, b, set_);
    set_.candidates = static_cast<int64_t>(pairs_.size());
  }

  MatchSet fit(const Trackers& trackers) && {
    std::ranges::sort(pairs_, {}, [](const TextPair& p) { return std::tuple(p.a->at, p.a->key); });
    if (pairs_.size() < kTextFit.fewest) return refuse(Reason::TooFew, "");
    if (have_other_pids()) return refuse(Reason::NotSame, "other processes wrote the texts");
    if (!are_in_order()) return refuse(Reason::OutOfOrder, "the texts are in another order");
    const Bases bases{pairs_.front().a->at, pairs_.front().b->at};
    const std::vector<Moment> moments = take_moments(bases, pairs_);
    EqualOptions options = kTextFit;
    set_range(set_.a, trackers, bases, options);
    const EqualFit fit = fit_equal(moments, options);
    set_.outliers = std::ranges::count(fit.is_outlier, true);
    set_.rate_ppb = ppb(fit.rate);
    const auto match_of = [&](size_t i) {
      const TextPair& pair = pairs_[i];
      const std::string_view text =
          trackers.batches[pair.a->batch].batch->strings.get(pair.a->text);
      return Match{.key = std::string(text.substr(0, kLongestKey)),
                   .reading_a = pair.a->at,
                   .reading_b = pair.b->at};
    };
    add_matches(pairs_.size(), fit, bases, reported_, match_of, set_);
    if (fit.reason != Reason::None) return refuse(fit.reason, "");
    std::vector<Moment> used;
    for (size_t i = 0; i < moments.size(); ++i)
      if (!fit.is_outlier[i]) used.push_back(moments[i]);
    if (is_regular(used, fit)) return refuse(Reason::Aliased, "the texts come at regular times");
    if (may_be_two_runs(used, fit))
      return refuse(Reason::NotSame, "two runs of a program could write these texts as well");
    set_.used = static_cast<int64_t>(fit.used);
    double bits = 0;
    for (const TextPair& pair : pairs_) bits += std::min(pair.a->surprise, pair.b->surprise);
    set_.surprise_bits = std::llround(std::floor(bits));
    set_fit(fit.knots, bases, moments[moments.size() / 2].x, set_);
    return std::move(set_);
  }

 private:
  MatchSet refuse(Reason reason, std::string_view detail) {
    set_.reason = reason;
    set_.detail = detail;
    return std::move(set_);
  }

  bool have_other_pids() const {
    const auto others = std::ranges::count_if(pairs_, [](const TextPair& p) {
      return p.a->pid != kNoId && p.b->pid != kNoId && p.a->pid != p.b->pid;
    });
    return static_cast<double>(others) > kMostOtherPids * static_cast<double>(pairs_.size());
  }

  bool are_in_order() const {
    std::vector<int64_t> of_b;
    for (const TextPair& pair : pairs_) of_b.push_back(pair.b->at);
    return static_cast<double>(longest_rising(of_b)) >=
           kLeastRisingTexts * static_cast<double>(pairs_.size());
  }

  // Whether each text fits the moment of the next one nearly as well: then the times say nothing.
  bool is_regular(std::span<const Moment> moments, const EqualFit& fit) {
    std::vector<double> steps;
    for (size_t i = 1; i < moments.size(); ++i)
      steps.push_back(static_cast<double>(moments[i].x - moments[i - 1].x));
    const double usual = upper_median(steps);
    const auto regular = std::ranges::count_if(
        steps, [&](double step) { return std::abs(step - usual) <= 2 * fit.tolerance_ns; });
    if (static_cast<double>(regular) < kRegularShare * static_cast<double>(steps.size()))
      return false;
    set_.alias_period_ns = std::llround(usual);
    set_.alias_count = static_cast<int64_t>(moments.size());
    return true;
  }

  static bool may_be_two_runs(std::span<const Moment> moments, const EqualFit& fit) {
    std::vector<double> residuals, steps;
    for (size_t i = 0; i < moments.size(); ++i) {
      residuals.push_back(std::abs(static_cast<double>(moments[i].y) - fit.at(moments[i].x).theta));
      if (i > 0) steps.push_back(static_cast<double>(moments[i].x - moments[i - 1].x));
    }
    const auto span = static_cast<double>(moments.back().x - moments.front().x);
    return upper_median(residuals) > kMostOfDistance * upper_median(steps) ||
           span < kLeastTextSpan * fit.tolerance_ns ||
           may_wander(moments, fit.rate, kLeastTextNoise);
  }

  std::vector<TextPair> pairs_;
  size_t reported_;  // matches
  MatchSet set_;
};

}  // namespace

std::vector<MatchSet> match_texts(const LogTexts& all, const Trackers& trackers) {
  std::vector<MatchSet> sets;
  TextPairs pairs = pair_texts(all);
  const size_t reported = reported_matches(pairs.size());
  for (auto& [of, of_pair] : pairs) {
    MatchSet set = TextFitter(all.recordings[of.first], all.recordings[of.second],
                              std::move(of_pair), reported)
                       .fit(trackers);
    if (set.reason != Reason::TooFew) sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace tracebraid::align
