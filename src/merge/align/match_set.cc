#include "merge/align/match_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "merge/locate/batch_summary.h"

namespace tracebraid::align {

size_t longest_rising(std::span<const int64_t> values) {
  std::vector<int64_t> tails;  // the least last value of chains, by their length
  for (const int64_t value : values) {
    const auto at = std::ranges::upper_bound(tails, value);
    if (at == tails.end())
      tails.push_back(value);
    else
      *at = value;
  }
  return tails.size();
}

ReadingRange range_of(const Side& side, const Trackers& trackers) {
  ReadingRange range, of_snapshots;
  const ClockName& clock = trackers.batches[side.batch].batch->clocks[side.clock];
  for (const BatchTrackers& batch : batches_of(trackers.batches[side.batch].file, trackers)) {
    std::vector<bool> is_same;
    for (const ClockName& name : batch.batch->clocks) is_same.push_back(name == clock);
    for (size_t i = 0; batch.summary != nullptr && i < is_same.size(); ++i) {
      if (!is_same[i]) continue;
      range.first = std::min(range.first, batch.summary->clocks[i].first_ns);
      range.last = std::max(range.last, batch.summary->clocks[i].last_ns);
    }
    // A clock that only snapshots read stands for another one of its machine (steady.h).
    for (const SnapshotReading& reading : batch.batch->readings) {
      int64_t ns = 0;
      if (!is_same[reading.clock] || reading.incremental ||
          __builtin_mul_overflow(reading.ticks, clock.tick_ns, &ns))
        continue;
      of_snapshots.first = std::min(of_snapshots.first, ns);
      of_snapshots.last = std::max(of_snapshots.last, ns);
    }
    for (const Stream& stream : batch.batch->streams) {
      for (const Event& event : stream.events) {
        int64_t ns = 0;
        if (!is_same[event.clock] || __builtin_mul_overflow(event.ts, clock.tick_ns, &ns)) continue;
        range.first = std::min(range.first, ns);
        range.last = std::max(range.last, ns);
      }
    }
  }
  return range.first <= range.last ? range : of_snapshots;
}

std::optional<int64_t> offset_of(const Bases& bases, double theta) {
  int64_t offset = 0;
  if (std::abs(theta) > static_cast<double>(kFarthestNs) * 2 ||
      __builtin_sub_overflow(bases.b, bases.a, &offset) ||
      __builtin_add_overflow(offset, std::llround(theta), &offset))
    return std::nullopt;
  return offset;
}

int64_t ppb(double rate) {
  return static_cast<int64_t>(std::llround(std::clamp(rate, -1e9, 1e9) * 1e9));
}

void set_fit(std::span<const Knot> knots, const Bases& bases, int64_t x, MatchSet& set) {
  const Knot middle = knot_at(knots, x);
  set.offset_ns = offset_of(bases, middle.theta);
  set.bound_ns = std::llround(std::ceil(middle.bound_ns));
  for (const Knot& knot : knots) {
    Observation at{.uncertainty_ns = std::llround(std::ceil(knot.bound_ns))};
    if (__builtin_add_overflow(bases.a, knot.x, &at.from) ||
        __builtin_add_overflow(bases.b, knot.x + std::llround(knot.theta), &at.to))
      continue;
    set.knots.push_back(at);
  }
}

std::string alias_text(int64_t period_ns, int64_t places) {
  return fmt::format(
      "the pattern repeats every {:.3f} ms, {} places fit alike: a marker, a manifest or "
      "wall-clock times would decide",
      static_cast<double>(period_ns) / 1e6, places);
}

size_t reported_matches(size_t sets) {
  constexpr size_t kOfSet = 10'000, kOfAll = 1'000'000, kFewest = 16;
  return std::clamp(kOfAll / std::max<size_t>(1, sets), kFewest, kOfSet);
}

std::vector<size_t> choose_matches(size_t count, const std::vector<bool>& is_outlier, size_t most) {
  std::vector<size_t> chosen;
  const auto outliers = static_cast<size_t>(std::ranges::count(is_outlier, true));
  const size_t kept_outliers =
      std::min(outliers, std::max(most / 2, most - std::min(most, count - outliers)));
  const size_t others = count - outliers, room = std::max<size_t>(1, most - kept_outliers);
  const size_t stride = (others + room - 1) / room;
  size_t seen_outliers = 0, seen_others = 0;
  for (size_t i = 0; i < count; ++i) {
    const bool is_out = i < is_outlier.size() && is_outlier[i];
    if (is_out ? seen_outliers++ < kept_outliers : seen_others++ % stride == 0) chosen.push_back(i);
  }
  return chosen;
}

}  // namespace tracebraid::align
