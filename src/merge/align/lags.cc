#include "merge/align/lags.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cmath>

#include "base/median.h"
#include "merge/align/constraint.h"
#include "merge/align/feasible.h"

namespace tracebraid::align {
namespace {

constexpr size_t kWindows = 8, kEventsOfWindow = 48, kFewestOfWindow = 8;
constexpr double kLongestWindowNs = 4e9;
constexpr double kCellNs = 200e3;            // twice the error of the ends of operations
constexpr double kLeastOfWindow = 0.5;       // events that the distance explains
constexpr double kRivalShare = 0.5;          // of the events that the best distance explains
constexpr double kLeastOfOverlap = 0.7;      // events that the distance explains
constexpr size_t kMostOccurrences = 20'000;  // of a symbol; such symbols say nothing of the place

// Returns the mean of the values that are near the median: distances of cells are rounded.
double usual_distance(std::vector<double>& values) {
  const double usual = upper_median(values);
  double sum = 0, count = 0;
  for (const double value : values) {
    if (std::abs(value - usual) > usual / 8) continue;
    sum += value;
    ++count;
  }
  return sum / count;
}

struct LagEvent {
  double at;  // difference to the first event of its recording
  uint64_t symbol;
  uint32_t index;
};

std::vector<LagEvent> relative(std::span<const SymbolTime> all) {
  std::vector<LagEvent> events;
  for (uint32_t i = 0; i < all.size(); ++i)
    if (const auto at = difference(all[i].at, all.front().at))
      events.push_back({static_cast<double>(*at), all[i].symbol, i});
  return events;
}

// The distance that most events of a part of a have from events of b.
struct PartLag {
  double x = 0, lag = 0, cell = 0;
  bool is_found = false, has_rival = false;
  double period = 0;  // of the rivals
  size_t places = 0;  // that fit nearly as well
};

class LagFinder {
 public:
  LagFinder(std::span<const SymbolTime> a, std::span<const SymbolTime> b)
      : a_(relative(a)), b_(relative(b)) {
    for (const LagEvent& event : b_) by_symbol_[event.symbol].push_back(&event);
    std::erase_if(a_, [&](const LagEvent& event) {
      const auto at = by_symbol_.find(event.symbol);
      return at == by_symbol_.end() || at->second.size() > kMostOccurrences;
    });
  }

  LagPairs pair() && {
    if (a_.size() < kFewestOfWindow) return {.reason = Reason::TooFew};
    std::vector<PartLag> parts;
    size_t with_rival = 0;
    for (const std::span<const LagEvent> window : windows()) {
      const PartLag part = lag_of(window);
      if (!part.is_found) continue;
      with_rival += part.has_rival ? 1 : 0;
      parts.push_back(part);
    }
    if (parts.empty()) return {.reason = Reason::TooFew};
    if (with_rival * 2 >= parts.size()) return aliased(parts);
    std::erase_if(parts, [](const PartLag& part) { return part.has_rival; });
    const std::optional<Line> line = line_through(parts);
    if (!line) return {.reason = Reason::Rate};
    return pairs_on(*line);
  }

 private:
  std::vector<std::span<const LagEvent>> windows() const {
    std::vector<std::span<const LagEvent>> all;
    const size_t size = std::min(kEventsOfWindow, a_.size());
    const size_t count = std::min(kWindows, a_.size() - size + 1);
    for (size_t i = 0; i < count; ++i) {
      const size_t begin = count == 1 ? 0 : (a_.size() - size) * i / (count - 1);
      std::span<const LagEvent> window = std::span(a_).subspan(begin, size);
      while (window.back().at - window.front().at > kLongestWindowNs)
        window = window.first(window.size() - 1);
      if (window.size() >= kFewestOfWindow) all.push_back(window);
    }
    return all;
  }

  PartLag lag_of(std::span<const LagEvent> window) const {
    const double length = window.back().at - window.front().at;
    PartLag part{.x = (window.front().at + window.back().at) / 2,
                 .cell = kCellNs + kSteepest * length / 2};
    absl::flat_hash_map<int64_t, uint32_t> cells;
    for (const LagEvent& event : window)
      for (const LagEvent* other : by_symbol_.find(event.symbol)->second)
        ++cells[std::llround(std::floor((other->at - event.at) / part.cell))];
    // The events of two neighbouring cells, so that a distance on a border is seen whole.
    std::vector<std::pair<int64_t, uint32_t>> votes;
    uint32_t most = 0;
    for (const auto& [cell, count] : cells) {
      const auto next = cells.find(cell + 1);
      votes.emplace_back(cell, count + (next == cells.end() ? 0 : next->second));
      most = std::max(most, votes.back().second);
    }
    part.is_found =
        most >= kFewestOfWindow - 2 && most >= kLeastOfWindow * static_cast<double>(window.size());
    if (!part.is_found) return part;
    std::ranges::sort(votes);
    std::vector<double> places;
    int64_t best = 0, last = INT64_MIN / 2;
    for (const auto& [cell, count] : votes) {
      if (count == most) best = cell;
      if (count < kRivalShare * most) continue;
      if (cell > last + 2) places.push_back(static_cast<double>(cell + 1) * part.cell);
      last = cell;
    }
    part.lag = static_cast<double>(best + 1) * part.cell;
    part.places = places.size();
    part.has_rival = places.size() > 1;
    std::vector<double> apart;
    for (size_t i = 1; i < places.size(); ++i) apart.push_back(places[i] - places[i - 1]);
    if (part.has_rival) part.period = usual_distance(apart);
    return part;
  }

  static LagPairs aliased(std::span<const PartLag> parts) {
    LagPairs result{.reason = Reason::Aliased};
    std::vector<double> periods;
    for (const PartLag& part : parts) {
      if (!part.has_rival) continue;
      periods.push_back(part.period);
      result.alias_count = std::max(result.alias_count, static_cast<int64_t>(part.places));
    }
    result.alias_period_ns = std::llround(upper_median(periods));
    return result;
  }

  // Returns the line near most of the distances.
  static std::optional<Line> line_through(std::span<const PartLag> parts) {
    Line best{parts.front().lag, 0};
    if (parts.size() == 1) return best;
    size_t most = 0;
    for (size_t i = 0; i < parts.size(); ++i)
      for (size_t k = i + 1; k < parts.size(); ++k) {
        const double apart = parts[k].x - parts[i].x;
        const double beta = apart > 0 ? (parts[k].lag - parts[i].lag) / apart : 0;
        if (std::abs(parts[k].lag - parts[i].lag) > kSteepest * apart + 2 * parts[i].cell) continue;
        const Line line{parts[i].lag - beta * parts[i].x, beta};
        const auto near = static_cast<size_t>(std::ranges::count_if(
            parts, [&](const PartLag& p) { return std::abs(p.lag - line.at(p.x)) <= 2 * p.cell; }));
        if (near <= most) continue;
        most = near;
        best = line;
      }
    if (most * 4 < parts.size() * 3) return std::nullopt;
    return best;
  }

  // Pairs each event with the nearest one of its symbol.
  LagPairs pairs_on(const Line& line) const {
    LagPairs result;
    const double reach = 3 * (kCellNs + kSteepest * kLongestWindowNs / 2);
    const double begin = b_.front().at, end = b_.back().at;
    absl::flat_hash_map<uint32_t, bool> is_used;
    size_t of_a = 0;
    for (const LagEvent& event : a_) {
      const double at = event.at + line.at(event.at);
      if (at < begin - reach || at > end + reach) continue;
      ++of_a;
      const std::vector<const LagEvent*>& all = by_symbol_.find(event.symbol)->second;
      const auto after =
          std::ranges::lower_bound(all, at, {}, [](const LagEvent* e) { return e->at; });
      const LagEvent* best = nullptr;
      for (auto near = after == all.begin() ? after : after - 1; near != all.end(); ++near) {
        if ((*near)->at > at + reach) break;
        const double apart = std::abs((*near)->at - at);
        if (apart <= reach && (best == nullptr || apart < std::abs(best->at - at))) best = *near;
      }
      if (best != nullptr && is_used.try_emplace(best->index, true).second)
        result.pairs.emplace_back(event.index, best->index);
    }
    const double first = a_.front().at + line.at(a_.front().at) - reach;
    const double last = a_.back().at + line.at(a_.back().at) + reach;
    const auto of_b = static_cast<size_t>(std::ranges::count_if(
        b_, [&](const LagEvent& event) { return event.at >= first && event.at <= last; }));
    if (static_cast<double>(result.pairs.size()) <
        kLeastOfOverlap * static_cast<double>(std::min(of_a, of_b))) {
      result.reason = Reason::Aliased;
      result.pairs.clear();
    }
    return result;
  }

  std::vector<LagEvent> a_, b_;
  absl::flat_hash_map<uint64_t, std::vector<const LagEvent*>> by_symbol_;  // of b
};

}  // namespace

LagPairs pair_by_lag(std::span<const SymbolTime> a, std::span<const SymbolTime> b) {
  if (a.empty() || b.empty()) return {.reason = Reason::TooFew};
  return LagFinder(a, b).pair();
}

}  // namespace tracebraid::align
