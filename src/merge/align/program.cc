#include "merge/align/program.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace tracebraid::align {
namespace {

// Pairs of recordings that have one thread, the later one first. Each recording is paired with the
// first one, so that the number of pairs does not grow with its square.
std::set<std::pair<size_t, size_t>> pairs_of(std::span<const ProgramRecording> all,
                                             const Trackers& trackers) {
  absl::flat_hash_map<uint32_t, std::vector<size_t>> by_thread;
  for (size_t i = 0; i < all.size(); ++i) {
    std::set<uint32_t> threads;
    for (const NamedEvent& event : all[i].events) threads.insert(event.thread);
    for (const uint32_t thread : threads) by_thread[thread].push_back(i);
  }
  std::set<std::pair<size_t, size_t>> pairs;
  for (const auto& [thread, recordings] : by_thread)
    for (const size_t i : recordings) {
      const size_t hub = recordings.front();
      if (all[i].of.file != all[hub].of.file && may_be_one_program(all[i], all[hub], trackers))
        pairs.emplace(i, hub);
    }
  return pairs;
}

// Returns the events whose symbol `stride` divides.
std::vector<NamedEvent> thinned(const ProgramRecording& recording, uint32_t stride) {
  std::vector<NamedEvent> events = recording.events;
  if (recording.stride < stride)
    std::erase_if(events, [&](const NamedEvent& e) { return e.symbol % stride != 0; });
  return events;
}

std::string detail_of(const NamedFit& fit) {
  switch (fit.reason) {
    case Reason::Aliased:
      if (!fit.alias_period_ns) return "less than 70 % of the events of both files fit any place";
      return alias_text(*fit.alias_period_ns, fit.alias_count);
    case Reason::NotSame:
      return "the times could be those of two runs of the program, or of a simulation";
    case Reason::OutOfOrder:
      return "the events are in another order";
    default:
      return {};
  }
}

class ProgramFitter {
 public:
  ProgramFitter(const ProgramRecording& a, const ProgramRecording& b, size_t reported)
      : a_(a), b_(b), reported_(reported) {}

  MatchSet fit(const Trackers& trackers) {
    const uint32_t stride = std::max(a_.stride, b_.stride);
    events_a_ = thinned(a_, stride);
    events_b_ = thinned(b_, stride);
    set_.kind = "same_events";
    set_.match_class = "run";
    set_.evidence = EvidenceKind::Measured;
    set_.source = EvidenceSource::SameEvents;
    set_sides(a_.of, b_.of, set_);
    const ReadingRange range = range_of(set_.a, trackers);
    const NamedFit fit = fit_named(events_a_, events_b_, range.first, range.last);
    set_.candidates = static_cast<int64_t>(fit.candidates);
    set_.reason = fit.reason;
    set_.detail = detail_of(fit);
    if (fit.surprise_bits > 0) set_.surprise_bits = std::llround(std::floor(fit.surprise_bits));
    set_.alias_period_ns = fit.alias_period_ns;
    if (fit.alias_period_ns) set_.alias_count = fit.alias_count;
    const auto match_of = [&](size_t i) {
      const NamedEvent &a = events_a_[fit.pairs[i].a], &b = events_b_[fit.pairs[i].b];
      return Match{.key = std::string(trackers.batches[a.batch].batch->strings.get(a.name)),
                   .reading_a = a.at,
                   .reading_b = b.at};
    };
    const EqualFit refused{.reason = fit.reason};
    add_matches(fit.pairs.size(), fit.reason == Reason::None ? fit.fit : refused, fit.bases,
                reported_, match_of, set_);
    if (fit.reason != Reason::None) return std::move(set_);
    set_.outliers = std::ranges::count(fit.fit.is_outlier, true);
    set_.used = static_cast<int64_t>(fit.fit.used);
    set_.rate_ppb = ppb(fit.fit.rate);
    const NamedFit::Pair& middle = fit.pairs[fit.pairs.size() / 2];
    set_fit(fit.fit.knots, fit.bases, events_a_[middle.a].at - fit.bases.a, set_);
    return std::move(set_);
  }

 private:
  const ProgramRecording &a_, &b_;
  size_t reported_;
  std::vector<NamedEvent> events_a_, events_b_;
  MatchSet set_;
};

}  // namespace

bool may_be_one_program(const ProgramRecording& a, const ProgramRecording& b,
                        const Trackers& trackers) {
  if (a.rank && b.rank && a.rank != b.rank) return false;
  return machine_row(a.of.side, trackers) == machine_row(b.of.side, trackers);
}

std::vector<MatchSet> match_programs(std::span<const ProgramRecording> all,
                                     const Trackers& trackers) {
  std::vector<MatchSet> sets;
  const auto pairs = pairs_of(all, trackers);
  const size_t reported = reported_matches(pairs.size());
  for (const auto& [a, b] : pairs) {
    if (std::min(all[a].events.size(), all[b].events.size()) < NamedOptions{}.fewest) continue;
    MatchSet set = ProgramFitter(all[a], all[b], reported).fit(trackers);
    if (set.reason != Reason::TooFew) sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace tracebraid::align
