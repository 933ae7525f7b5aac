#include "merge/align/wakeups.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cmath>

#include "base/median.h"
#include "merge/align/hash.h"
#include "merge/align/lags.h"

namespace tracebraid::align {
namespace {

constexpr size_t kMostWakeupTries = 4;  // recordings that each one is compared with
constexpr size_t kFewestWakeups = 64;   // of a recording
// Runs of one thread that are closer are not distinguished by a place that is known to 2 ms.
constexpr int64_t kLeastApartNs = 4'000'000;

template <class Value>
std::span<const Value> of_recording(std::span<const Value> sorted, uint32_t recording) {
  const auto found = std::ranges::equal_range(sorted, recording, {}, &Value::recording);
  return {found.begin(), found.end()};
}

// Returns the runs that are far from others of their thread.
std::vector<WokenRun> lone_runs(std::span<const WokenRun> runs) {
  std::vector<WokenRun> sorted(runs.begin(), runs.end()), lone;
  std::ranges::stable_sort(sorted, {},
                           [](const WokenRun& r) { return std::pair(r.tid, r.ran_at); });
  const auto is_near = [](const WokenRun& a, const WokenRun& b) {
    const auto apart = difference(b.ran_at, a.ran_at);
    return a.tid == b.tid && apart && *apart < kLeastApartNs;
  };
  for (size_t i = 0; i < sorted.size(); ++i)
    if ((i == 0 || !is_near(sorted[i - 1], sorted[i])) &&
        (i + 1 == sorted.size() || !is_near(sorted[i], sorted[i + 1])))
      lone.push_back(sorted[i]);
  std::ranges::stable_sort(lone, {}, &WokenRun::ran_at);
  return lone;
}

// How far the clock of the wakings is ahead, by the fastest tenth of the wakeups of each part of
// the recording: less by what these take.
class LagLine {
 public:
  // Requires: pairs are indexes of runs and wakings, sorted by both.
  LagLine(std::span<const WokenRun> runs, std::span<const Waking> wakings,
          std::span<const std::pair<uint32_t, uint32_t>> pairs)
      : base_(runs[pairs.front().first].ran_at) {
    constexpr size_t kOfPart = 32;
    constexpr int64_t kLeastReachNs = 20'000;
    std::vector<int64_t> slower;  // wakeups of the middle than the fastest tenth, by part
    const size_t parts = std::max<size_t>(1, pairs.size() / kOfPart);
    for (size_t i = 0; i < parts; ++i) {
      std::vector<Part> all;
      const size_t begin = pairs.size() * i / parts, end = pairs.size() * (i + 1) / parts;
      for (const auto& [run, waking] : pairs.subspan(begin, end - begin)) {
        const auto x = difference(runs[run].ran_at, base_);
        Part part{x.value_or(0), 0};
        if (x && !__builtin_sub_overflow(wakings[waking].at, runs[run].ran_at, &part.lag))
          all.push_back(part);
      }
      if (all.empty()) continue;
      // Some wakings may be wrong.
      const auto fast = all.begin() + static_cast<ptrdiff_t>(all.size() * 9 / 10);
      std::ranges::nth_element(all, fast, {}, &Part::lag);
      const int64_t fastest = fast->lag;
      parts_.push_back(*fast);
      const auto half = all.begin() + static_cast<ptrdiff_t>(all.size() / 2);
      std::ranges::nth_element(all, half, {}, &Part::lag);
      slower.push_back(fastest - half->lag);
    }
    std::ranges::stable_sort(parts_, {}, &Part::x);
    if (slower.empty()) return;
    const int64_t usual = upper_median(slower);
    before_ = std::min<int64_t>(kLeastReachNs + 4 * usual, kLeastApartNs / 4);
    behind_ = kLeastReachNs + usual;
  }

  // Returns the one waking that can have woken the run: of its thread, shortly before it.
  const Waking* only_waking(const WokenRun& run, std::span<const Waking* const> of_thread) const {
    const auto x = difference(run.ran_at, base_);
    int64_t at = 0;
    if (!x || parts_.empty() || __builtin_add_overflow(run.ran_at, lag_at(*x), &at)) return nullptr;
    const Waking* only = nullptr;
    auto near = std::ranges::lower_bound(of_thread, at - before_, {}, &Waking::at);
    for (; near != of_thread.end() && (*near)->at <= at + behind_; ++near) {
      if (only != nullptr) return nullptr;
      only = *near;
    }
    return only;
  }

 private:
  struct Part {
    int64_t x, lag;
  };

  int64_t lag_at(int64_t x) const {
    const auto after = std::ranges::lower_bound(parts_, x, {}, &Part::x);
    if (after == parts_.begin()) return parts_.front().lag;
    if (after == parts_.end()) return parts_.back().lag;
    const Part &left = *(after - 1), &right = *after;
    const double share = static_cast<double>(x - left.x) /
                         static_cast<double>(std::max<int64_t>(1, right.x - left.x));
    return left.lag + std::llround(share * static_cast<double>(right.lag - left.lag));
  }

  int64_t base_;
  std::vector<Part> parts_;  // sorted by x
  // How far the waking of a run may lie from the line: most wakeups take less.
  int64_t before_ = 0, behind_ = 0;
};

class WakeupLinker {
 public:
  WakeupLinker(const Wakeups& all, const Trackers& trackers)
      : all_(all), trackers_(trackers), wakings_(all.wakings), runs_(all.runs) {
    std::ranges::stable_sort(wakings_, {},
                             [](const Waking& w) { return std::pair(w.recording, w.at); });
    std::ranges::stable_sort(runs_, {}, &WokenRun::recording);
  }

  WakeupLinks link() && {
    found_.links = link_flows({all_.recordings, all_.calls});
    // Only recordings of one kernel have its threads and calls.
    std::erase_if(found_.links,
                  [&](const auto& of) { return !is_one_machine(of.first.first, of.first.second); });
    for (uint32_t waker = 0; waker < all_.recordings.size(); ++waker) {
      const auto wakings = of_recording<Waking>(wakings_, waker);
      size_t tries = 0;
      for (uint32_t runner = 0; runner < all_.recordings.size() && tries < kMostWakeupTries;
           ++runner) {
        const auto runs = of_recording<WokenRun>(runs_, runner);
        if (std::min(wakings.size(), runs.size()) < kFewestWakeups ||
            !is_one_machine(waker, runner))
          continue;
        ++tries;
        link_runs(waker, wakings, runner, runs);
      }
    }
    sort_links(found_.links);
    return std::move(found_);
  }

 private:
  bool is_one_machine(uint32_t a, uint32_t b) const {
    return all_.recordings[a].tracker != all_.recordings[b].tracker &&
           machine_row(all_.recordings[a].side, trackers_) ==
               machine_row(all_.recordings[b].side, trackers_);
  }

  void link_runs(uint32_t waker, std::span<const Waking> wakings, uint32_t runner,
                 std::span<const WokenRun> runs) {
    const std::vector<WokenRun> lone = lone_runs(runs);
    std::vector<SymbolTime> of_waker, of_runner;
    const auto symbol = [](int64_t tid) { return mix(1, static_cast<uint64_t>(tid)); };
    for (const Waking& waking : wakings) of_waker.push_back({symbol(waking.tid), waking.at});
    for (const WokenRun& run : lone) of_runner.push_back({symbol(run.tid), run.ran_at});
    const LagPairs pairs = pair_by_lag(of_runner, of_waker);
    if (pairs.reason != Reason::None) return refuse(waker, runner, pairs);
    if (pairs.pairs.empty()) return;
    found_.by_threads.emplace(std::max(waker, runner), std::min(waker, runner));
    const LagLine line(lone, wakings, pairs.pairs);
    // By thread, and in order of time.
    absl::flat_hash_map<int64_t, std::vector<const Waking*>> by_tid;
    for (const Waking& waking : wakings) by_tid[waking.tid].push_back(&waking);
    for (const WokenRun& run : runs) {
      const Waking* waking = line.only_waking(run, by_tid[run.tid]);
      if (waking == nullptr) continue;
      const uint64_t key = mix(symbol(run.tid), static_cast<uint64_t>(waking->at));
      const CauseLink link{.key = key, .id = static_cast<uint64_t>(run.tid)};
      add_link(waker, waking->at, runner, run.ran_at, link, all_.recordings, found_.links);
      add_link(runner, run.slept_at, waker, waking->at, link, all_.recordings, found_.links);
    }
  }

  void refuse(uint32_t waker, uint32_t runner, const LagPairs& pairs) {
    if (pairs.reason == Reason::TooFew) return;
    MatchSet& set = found_.refused.emplace_back();
    set.kind = "wakeups";
    set.match_class = "run";
    set.evidence = EvidenceKind::Relayed;
    set.source = EvidenceSource::Wakeups;
    set_sides(all_.recordings[std::max(waker, runner)], all_.recordings[std::min(waker, runner)],
              set);
    set.reason = pairs.reason;
    set.alias_period_ns = pairs.alias_period_ns;
    if (!pairs.alias_period_ns) return;
    set.alias_count = pairs.alias_count;
    set.detail = alias_text(*pairs.alias_period_ns, pairs.alias_count);
  }

  const Wakeups& all_;
  const Trackers& trackers_;
  std::vector<Waking> wakings_;  // sorted by recording and reading
  std::vector<WokenRun> runs_;   // sorted by recording
  WakeupLinks found_;
};

}  // namespace

WakeupLinks link_wakeups(const Wakeups& all, const Trackers& trackers) {
  return WakeupLinker(all, trackers).link();
}

}  // namespace tracebraid::align
