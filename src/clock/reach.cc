#include "clock/reach.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace tracebraid {
namespace {

constexpr int64_t kLeastReading = std::numeric_limits<int64_t>::min();
constexpr int64_t kMostReading = std::numeric_limits<int64_t>::max();
constexpr __int128 kSecondNs = 1'000'000'000, kDayNs = 86'400 * kSecondNs;
constexpr int64_t kSlowestPart = 2000;  // 1 / 2000 = 500 ppm

bool is_rising(std::span<const Observation> observations) {
  return std::ranges::is_sorted(observations, {}, &Observation::from);
}

int64_t clamped(__int128 reading) {
  return static_cast<int64_t>(std::clamp<__int128>(reading, kLeastReading, kMostReading));
}

// Returns how far `from` can have run between two observations, ns.
__int128 longest_run(const Observation& a, const Observation& b) {
  const __int128 elapsed = __int128{b.to} - a.to;
  return elapsed + elapsed / kSlowestPart + a.uncertainty_ns + b.uncertainty_ns;
}

__int128 usual_margin(std::span<const Observation> observations) {
  __int128 longest = 0;
  for (size_t i = 1; i < observations.size(); ++i)
    longest = std::max(longest, __int128{observations[i].to} - observations[i - 1].to);
  return std::clamp(2 * longest, kSecondNs, kDayNs);
}

// Appends the covers of the readings [begin, last], which no segment reaches. They are divided
// where the nearest reach changes.
void add_gap(std::span<const Reach> reaches, int64_t begin, int64_t last,
             std::vector<Cover>& covers) {
  size_t below = reaches.size(), above = reaches.size();
  for (size_t i = 0; i < reaches.size(); ++i) {
    if (reaches[i].high < begin &&
        (below == reaches.size() || reaches[i].high > reaches[below].high))
      below = i;
    if (reaches[i].low > last && (above == reaches.size() || reaches[i].low < reaches[above].low))
      above = i;
  }
  if (below == reaches.size()) return covers.push_back({begin, last, 0, above});
  if (above == reaches.size()) return covers.push_back({begin, last, 0, below});
  const int64_t middle = std::midpoint(begin, last);
  covers.push_back({begin, middle, 0, below});
  if (middle < last) covers.push_back({middle + 1, last, 0, above});
}

}  // namespace

std::vector<Observation> in_time_order(std::span<const Observation> observations) {
  std::vector<Observation> sorted(observations.begin(), observations.end());
  if (!is_rising(sorted)) std::ranges::stable_sort(sorted, {}, &Observation::to);
  return sorted;
}

std::vector<Segment> segments_of(std::span<const Observation> observations) {
  std::vector<Segment> segments;
  for (size_t i = 0; i < observations.size(); ++i) {
    if (i > 0 && observations[i].from >= observations[i - 1].from)
      ++segments.back().end;
    else
      segments.push_back({i, i + 1});
  }
  return segments;
}

size_t count_segments(std::span<const Observation> observations) {
  return segments_of(in_time_order(observations)).size();
}

std::vector<Reach> reaches_of(std::span<const Observation> observations,
                              std::span<const Segment> segments, const Margin& margin) {
  const auto run_out = [&](int64_t stated, const Observation& edge) {
    return (stated == Margin::kUsual ? usual_margin(observations) : __int128{stated}) +
           edge.uncertainty_ns;
  };
  std::vector<Reach> reaches;
  for (size_t i = 0; i < segments.size(); ++i) {
    const Observation &first = observations[segments[i].first],
                      &last = observations[segments[i].end - 1];
    const __int128 down = i == 0 ? run_out(margin.before_ns, first)
                                 : longest_run(observations[segments[i - 1].end - 1], first);
    const __int128 up = i + 1 == segments.size()
                            ? run_out(margin.after_ns, last)
                            : longest_run(last, observations[segments[i + 1].first]);
    reaches.push_back({clamped(first.from - down), clamped(last.from + up)});
  }
  return reaches;
}

std::vector<Cover> covers_of(std::span<const Reach> reaches) {
  if (reaches.empty()) return {};
  if (reaches.size() == 1) return {{kLeastReading, kMostReading, 1, 0}};
  struct Bound {
    __int128 at;
    bool opens;
    size_t segment;
  };
  std::vector<Bound> bounds;
  for (size_t i = 0; i < reaches.size(); ++i) {
    bounds.push_back({reaches[i].low, true, i});
    bounds.push_back({__int128{reaches[i].high} + 1, false, i});
  }
  std::ranges::stable_sort(bounds, {}, &Bound::at);
  std::vector<Cover> covers;
  size_t open = 0, sum_of_open = 0;
  __int128 begin = kLeastReading;
  const auto cover_up_to = [&](__int128 end) {
    if (end <= begin) return;
    const auto first = static_cast<int64_t>(begin), last = static_cast<int64_t>(end - 1);
    begin = end;
    if (open == 0) return add_gap(reaches, first, last, covers);
    covers.push_back({first, last, open, open == 1 ? sum_of_open : 0});
  };
  for (const Bound& bound : bounds) {
    cover_up_to(bound.at);
    open += bound.opens ? 1 : size_t{0} - 1;
    sum_of_open += bound.opens ? bound.segment : size_t{0} - bound.segment;
  }
  cover_up_to(__int128{kMostReading} + 1);
  return covers;
}

}  // namespace tracebraid
