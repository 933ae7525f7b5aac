#include "query/operators/span_sweep.h"

#include <algorithm>
#include <tuple>

#include "query/scan/stoppable_sort.h"

namespace tracebraid {
namespace {

constexpr uint32_t kNone = SpanPair::kNone;
constexpr size_t kWorkPerCheck = size_t{1} << 16;

// Sorts the pairs of one ts, those from `begin` on. Returns false if stopped.
bool sort_group(std::vector<SpanPair>& pairs, size_t begin, const StopCheck& stop) {
  const auto is_before = [](const SpanPair& a, const SpanPair& b) {
    return std::tuple(a.dur != 0, a.left, a.right) < std::tuple(b.dur != 0, b.left, b.right);
  };
  const std::span group = std::span(pairs).subspan(begin);
  if (group.size() <= kWorkPerCheck) {
    std::ranges::sort(group, is_before);
    return true;
  }
  return stable_sort(group, is_before, stop);
}

}  // namespace

// Returns the start of the next interval that covers time.
int64_t SpanSweep::Side::start_behind_negatives() const {
  size_t at = at_;
  while (at < spans_.size() && spans_[at].dur < 0) ++at;
  return at < spans_.size() ? spans_[at].ts : std::numeric_limits<int64_t>::max();
}

// Sets item_: the gap before the next interval, or the interval.
void SpanSweep::Side::find_next() {
  if (at_ == spans_.size()) {
    constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
    at_end_ = !with_gaps_ || covered_ == kNever;
    item_ = {covered_, kNever, kNone};
    covered_ = kNever;
    return;
  }
  const Span& next = spans_[at_];
  if (with_gaps_ && next.ts >= covered_) {
    const int64_t gap_end = start_behind_negatives();
    if (gap_end > covered_) {
      item_ = {covered_, gap_end, kNone};
      covered_ = gap_end;
      return;
    }
  }
  const int64_t end = next.dur < 0 ? next.ts : next.end();
  if (next.dur >= 0) covered_ = std::max(covered_, end);
  item_ = {next.ts, end, next.row};
}

// Pairs the next item of `side` with the active items of `other`, and drops those that ended.
template <bool kIsLeft>
void SpanSweep::start(Side& side, Side& other, std::vector<SpanPair>& pairs) {
  const Item item = side.item();
  const bool is_gap = item.row == kNone;
  if (!is_gap && side.spans()[side.position()].dur < 0) {
    if (kIsLeft ? keeps_left_ : keeps_right_) {
      const int64_t dur = side.spans()[side.position()].dur;
      pairs.push_back({item.ts, dur, kIsLeft ? item.row : kNone, kIsLeft ? kNone : item.row});
    }
    side.advance();
    return;
  }
  // The instants of a moment meet each other, and not the gaps that start with them.
  const bool skips_instants = is_gap && !side.active.empty() && side.active.back().ts == item.ts;
  const bool is_instant = !is_gap && item.end == item.ts;
  bool has_met = false;  // a row that starts now
  auto kept = other.active.begin();
  for (const Item& active : other.active) {
    if (active.end <= item.ts && active.ts != item.ts) continue;
    *kept++ = active;
    if (is_gap && (active.row == kNone || (skips_instants && active.end == item.ts))) continue;
    if (active.row != kNone && active.ts == item.ts)
      has_met = true;
    else if (is_instant && has_met && active.row == kNone)
      continue;
    const int64_t dur = std::min(item.end, active.end) - item.ts;
    pairs.push_back(
        {item.ts, dur, kIsLeft ? item.row : active.row, kIsLeft ? active.row : item.row});
  }
  other.active.erase(kept, other.active.end());
  side.active.push_back(item);
  side.advance();
}

bool SpanSweep::fill(std::vector<SpanPair>& pairs, size_t most, const StopCheck& stop) {
  size_t work = 0;  // items and pairs since the last check
  while (!done() && pairs.size() < most) {
    size_t group = pairs.size();  // the first pair of `ts`
    int64_t ts = std::numeric_limits<int64_t>::max();
    if (!left_.at_end()) ts = std::min(ts, left_.item().ts);
    if (!right_.at_end()) ts = std::min(ts, right_.item().ts);
    while (is_at(left_, ts) || is_at(right_, ts)) {
      if (is_at(left_, ts))
        start<true>(left_, right_, pairs);
      else
        start<false>(right_, left_, pairs);
      work += 1 + pairs.size() - group;
      if (work >= kWorkPerCheck) {
        if (stop.stopped() || !sort_group(pairs, group, stop)) return false;
        group = pairs.size();
        work = 0;
      }
    }
    if (pairs.size() > group + 1 && !sort_group(pairs, group, stop)) return false;
  }
  return true;
}

}  // namespace tracebraid
