#include "clock/error_map.h"

#include <algorithm>
#include <cmath>

#include "clock/clock_key.h"

namespace tracebraid {
namespace {

constexpr double kBillion = 1e9;
// Clocks wander: the largest change of the drift is a multiple of the median change.
constexpr double kWanderFactor = 4;
// Fewer observations do not give the usual change of the drift.
constexpr size_t kEnoughForWander = 4;
constexpr double kUsualWanderPpb = 1000;

int64_t saturated(double ns) {
  return ns < static_cast<double>(kUnbounded) ? static_cast<int64_t>(std::ceil(ns)) : kUnbounded;
}

int64_t add(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kUnbounded : sum;
}

double distance(int64_t a, int64_t b) {
  return std::abs(static_cast<double>(a) - static_cast<double>(b));
}

int64_t error_of(const ErrorMap::Piece& piece, int64_t reading) {
  if (piece.rate_ppb == 0) return piece.base_ns;
  const double grown =
      distance(reading, piece.anchor) * static_cast<double>(piece.rate_ppb) / kBillion;
  return add(piece.base_ns, saturated(grown));
}

// The interval from one observation to the next.
struct Interval {
  Change change;
  double length_ns;
  double shift_ns;  // change of the offset
  double ppb;       // the same over its length
  double blur_ppb;  // bound of the drift
};

Interval interval(const Observation& a, const Observation& b) {
  const double length = distance(b.from, a.from);
  const double shift = (static_cast<double>(b.to) - static_cast<double>(a.to)) -
                       (static_cast<double>(b.from) - static_cast<double>(a.from));
  const double blur = static_cast<double>(a.uncertainty_ns) + static_cast<double>(b.uncertainty_ns);
  const double per_second = length > 0 ? kBillion / length : 0;
  return {change_between(a, b), length, shift, shift * per_second, blur * per_second};
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

class Intervals {
 public:
  Intervals(std::span<const Observation> observations, int64_t unknown_ppb)
      : unknown_ppb_(static_cast<double>(unknown_ppb)) {
    for (size_t i = 0; i + 1 < observations.size(); ++i)
      all_.push_back(interval(observations[i], observations[i + 1]));
    std::vector<double> changes;
    for (size_t i = 0; i + 1 < all_.size(); ++i)
      if (is_telling(i) && is_telling(i + 1))
        changes.push_back(std::abs(all_[i + 1].ppb - all_[i].ppb));
    const bool is_known = changes.size() + 2 >= kEnoughForWander;
    wander_ppb_ = kWanderFactor * median(std::move(changes));
    if (!is_known) wander_ppb_ = std::min(kUsualWanderPpb, unknown_ppb_);
  }

  // Returns the bound within the interval, in addition to those of its ends, ns.
  double excess_ns(size_t i) const {
    const Interval& here = all_[i];
    if (here.change == Change::Jump)  // in addition to a drift
      return std::abs(here.shift_ns) + usual_ppb(i) * here.length_ns / kBillion;
    return surprise_ppb(i) * here.length_ns / kBillion;
  }

  // Returns the drift within the interval.
  double rate_ppb(size_t i) const {
    return all_[i].change == Change::Jump ? 0 : std::abs(all_[i].ppb);
  }

  // Returns the rate of the error beyond the interval, if the map follows its drift.
  double rate_beyond_ppb(size_t i) const {
    if (!is_smooth(i)) return unknown_ppb_;
    const double seen = wander_ppb_ + surprise_ppb(i) + all_[i].blur_ppb;
    // Few observations permit more than such clocks can drift.
    const bool drifts = all_[i].change == Change::Drift;
    const double possible = drifts ? unknown_ppb_ + std::abs(all_[i].ppb) : 2 * unknown_ppb_;
    return std::min(seen, possible);
  }

  // Whether the first clock lost time against the second.
  bool is_gain(size_t i) const { return all_[i].shift_ns > 0; }
  bool is_jump(size_t i) const { return all_[i].change == Change::Jump; }

 private:
  bool is_smooth(size_t i) const { return i < all_.size() && all_[i].change != Change::Jump; }
  // Whether the interval is long enough to give its drift.
  bool is_telling(size_t i) const {
    return is_smooth(i) &&
           all_[i].blur_ppb <= std::max(unknown_ppb_, static_cast<double>(kUsualDriftPpb));
  }

  // Returns the largest drift of the neighbouring intervals.
  double usual_ppb(size_t i) const {
    double most = 0;
    for (size_t k = i < 2 ? 0 : i - 2; k <= i + 2 && k < all_.size(); ++k)
      if (is_telling(k)) most = std::max(most, std::abs(all_[k].ppb));
    return most + wander_ppb_;
  }

  // Returns how far the drift differs from the drift around it. A drift that begins or ends within
  // the interval differs from both sides; a small step differs from all neighbours. Between two
  // jumps the intervals beyond them count as neighbours.
  double surprise_ppb(size_t i) const {
    const double here = all_[i].ppb;
    double nearest = -1, beyond_jumps = -1;
    std::vector<double> around;
    for (size_t k = i < 2 ? 0 : i - 2; k <= i + 2 && k < all_.size(); ++k) {
      if (k != i && !is_telling(k)) continue;
      around.push_back(all_[k].ppb);
      if (k == i) continue;
      const double apart = std::abs(all_[k].ppb - here);
      double& least = k + 1 == i || k == i + 1 ? nearest : beyond_jumps;
      least = least < 0 ? apart : std::min(least, apart);
    }
    if (nearest < 0) nearest = beyond_jumps;
    if (nearest < 0) return std::abs(here);  // no neighbours
    return std::max(nearest, std::abs(here - median(std::move(around)))) + wander_ppb_;
  }

  double unknown_ppb_;
  double wander_ppb_ = 0;
  std::vector<Interval> all_;
};

int64_t worse(const Observation& a, const Observation& b) {
  return std::max(a.uncertainty_ns, b.uncertainty_ns);
}

// Adds `excess` to the bounds of readings from `low` up to `high`.
void worsen(int64_t low, int64_t high, int64_t excess, ErrorMap& map) {
  for (const int64_t border : {low, high}) {
    const auto after = std::ranges::upper_bound(map.pieces, border, {}, &ErrorMap::Piece::begin);
    if (std::prev(after)->begin == border) continue;
    ErrorMap::Piece rest = *std::prev(after);
    rest.begin = border;
    map.pieces.insert(after, rest);
  }
  for (ErrorMap::Piece& piece : map.pieces)
    if (piece.begin >= low && piece.begin < high) piece.base_ns = add(piece.base_ns, excess);
}

// Returns the bounds of one segment. `intervals` are those of all observations, because the drift
// around an interval shows how far the drift in it can be trusted.
ErrorMap error_map_of_segment(std::span<const Observation> all, const Segment& segment,
                              const Intervals& intervals, ClockModel model,
                              const PairNature& nature) {
  ErrorMap map;
  const std::span<const Observation> seen = all.subspan(segment.first, segment.end - segment.first);
  const bool is_linear = model != ClockModel::Step;
  const auto beyond = [&](size_t i) {
    if (seen.size() == 1) return nature.unknown_ppb;
    double rate = intervals.rate_beyond_ppb(segment.first + i);
    if (!is_linear) rate += intervals.rate_ppb(segment.first + i);
    return saturated(std::min(rate, 1e15));
  };
  const auto add_piece = [&](int64_t begin, int64_t anchor, int64_t base, int64_t rate) {
    if (!map.pieces.empty() && map.pieces.back().begin == begin) map.pieces.pop_back();
    map.pieces.push_back({begin, anchor, base, rate});
  };
  add_piece(ClockMap::kFirst, seen.front().from, seen.front().uncertainty_ns, beyond(0));
  // A clock that was set back by less than the interval showed readings beyond the next observation
  // before it was set.
  int64_t back_until = ClockMap::kFirst, back_by = 0;
  for (size_t i = 0; i < seen.size(); ++i) {
    const bool is_last = i + 1 == seen.size();
    const int64_t excess = is_last ? 0 : saturated(intervals.excess_ns(segment.first + i));
    const int64_t own = is_last ? seen[i].uncertainty_ns : worse(seen[i], seen[i + 1]);
    const int64_t rate = is_last     ? beyond(i == 0 ? 0 : i - 1)
                         : is_linear ? 0
                                     : saturated(intervals.rate_ppb(segment.first + i));
    const int64_t begin = seen[i].from;
    if (begin < back_until) {
      add_piece(begin, begin, add(add(own, excess), back_by), rate);
      if (is_last || back_until < seen[i + 1].from)
        add_piece(back_until, begin, add(own, excess), rate);
    } else {
      add_piece(begin, begin, add(own, excess), rate);
    }
    if (nature.can_be_set && !is_last && intervals.is_gain(segment.first + i)) {
      back_until = std::max(back_until, add(seen[i + 1].from, excess));
      back_by = excess;
    }
  }
  // After it was set, it showed readings before the last observation.
  for (size_t i = 0; nature.can_be_set && i + 1 < seen.size(); ++i) {
    if (!intervals.is_gain(segment.first + i) || !intervals.is_jump(segment.first + i)) continue;
    const int64_t excess = saturated(intervals.excess_ns(segment.first + i));
    int64_t low = 0;
    if (__builtin_sub_overflow(seen[i].from, excess, &low)) low = ClockMap::kFirst;
    worsen(low, seen[i].from, excess, map);
  }
  return map;
}

// Appends the pieces of `segment` for the readings of the cover. Beyond the reach of the segment
// the bound grows with the distance, because no observation explains such readings.
void append_cover(const ErrorMap& segment, const Reach& reach, const Cover& cover, ErrorMap& map) {
  if (cover.count == 0) {
    constexpr int64_t kDistancePpb = 1'000'000'000;
    const int64_t edge = cover.begin > reach.high ? reach.high : reach.low;
    map.pieces.push_back({cover.begin, edge, segment.at(edge), kDistancePpb});
    return;
  }
  auto piece =
      std::prev(std::ranges::upper_bound(segment.pieces, cover.begin, {}, &ErrorMap::Piece::begin));
  for (; piece != segment.pieces.end() && piece->begin <= cover.last; ++piece) {
    map.pieces.push_back(*piece);
    map.pieces.back().begin = std::max(piece->begin, cover.begin);
  }
}

}  // namespace

int64_t ErrorMap::at(int64_t reading) const {
  if (pieces.empty()) return kUnbounded;
  const auto after = std::ranges::upper_bound(pieces, reading, {}, &Piece::begin);
  return error_of(*std::prev(after), reading);
}

int64_t ErrorMap::worst(int64_t first, int64_t last) const {
  if (pieces.empty()) return kUnbounded;
  int64_t found = std::max(at(first), at(last));
  auto piece = std::ranges::upper_bound(pieces, first, {}, &Piece::begin);
  for (; piece != pieces.end() && piece->begin <= last; ++piece) {
    if (!piece->is_ambiguous) found = std::max(found, error_of(*piece, piece->begin));
    // The error before the first observation is largest at the end of the piece.
    if (!std::prev(piece)->is_ambiguous)
      found = std::max(found, error_of(*std::prev(piece), piece->begin));
  }
  return found;
}

std::vector<ErrorMap> error_maps_of(std::span<const Observation> observations,
                                    std::span<const Segment> segments, ClockModel model,
                                    const PairNature& nature) {
  const Intervals intervals(observations, nature.unknown_ppb);
  std::vector<ErrorMap> maps;
  for (const Segment& segment : segments)
    maps.push_back(error_map_of_segment(observations, segment, intervals, model, nature));
  return maps;
}

ErrorMap error_map_of(std::span<const Observation> observations, ClockModel model,
                      const PairNature& nature, const Margin& margin) {
  const std::vector<Observation> seen = in_time_order(observations);
  ErrorMap map;
  if (seen.empty()) return map;
  if (model == ClockModel::Stated && seen.size() > 1) {
    // Each part of the line is as good as the worse one of its ends.
    for (size_t i = 0; i + 1 < seen.size(); ++i) {
      const int64_t begin = i == 0 ? ClockMap::kFirst : seen[i].from;
      const int64_t base = worse(seen[i], seen[i + 1]);
      if (map.pieces.empty() || begin > map.pieces.back().begin)
        map.pieces.push_back({begin, 0, base});
      else
        map.pieces.back().base_ns = std::max(map.pieces.back().base_ns, base);
    }
    return map;
  }
  const std::vector<Segment> segments = segments_of(seen);
  const std::vector<ErrorMap> maps = error_maps_of(seen, segments, model, nature);
  if (segments.size() == 1) return maps.front();
  const std::vector<Reach> reaches = reaches_of(seen, segments, margin);
  for (const Cover& cover : covers_of(reaches)) {
    if (cover.count > 1)
      map.pieces.push_back({.begin = cover.begin,
                            .anchor = cover.begin,
                            .base_ns = kUnbounded,
                            .is_ambiguous = true});
    else
      append_cover(maps[cover.segment], reaches[cover.segment], cover, map);
  }
  return map;
}

}  // namespace tracebraid
