#include "format/cloud_trace/spans.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <string_view>
#include <tuple>
#include <utility>

namespace tracebraid::cloud_trace {
namespace {

void find_parents(std::span<Span> spans) {
  absl::flat_hash_map<std::string_view, size_t> by_id;
  for (size_t i = 0; i < spans.size(); ++i)
    if (!spans[i].id.empty()) by_id.try_emplace(spans[i].id, i);
  for (Span& span : spans) {
    const auto at = by_id.find(span.parent_id);
    if (!span.parent_id.empty() && at != by_id.end()) span.parent = at->second;
  }
}

// Breaks every cycle of parents at one span. Returns the spans, ancestors first.
std::vector<size_t> cut_circles(std::span<Span> spans) {
  enum class Seen : uint8_t { No, Now, Before };
  std::vector<Seen> seen(spans.size(), Seen::No);
  std::vector<size_t> order, chain;
  for (size_t i = 0; i < spans.size(); ++i) {
    size_t at = i;
    while (at != kNoSpan && seen[at] == Seen::No) {
      seen[at] = Seen::Now;
      chain.push_back(at);
      at = spans[at].parent;
    }
    if (at != kNoSpan && seen[at] == Seen::Now) spans[chain.back()].parent = kNoSpan;
    for (; !chain.empty(); chain.pop_back()) {
      seen[chain.back()] = Seen::Before;
      order.push_back(chain.back());
    }
  }
  return order;
}

// The lanes of one tree.
class Lanes {
 public:
  explicit Lanes(std::span<const Span> spans) : spans_(spans) {}

  // Requires: spans in order of time.
  uint32_t take(size_t i) {
    const Span& span = spans_[i];
    uint32_t lane = span.parent == kNoSpan ? 0 : spans_[span.parent].lane;
    if (lane >= open_.size() || !fits(span, lane)) lane = free_lane(span.begin);
    if (open_[lane].empty()) busy_.emplace(span.end, lane);
    open_[lane].push_back(i);
    return lane;
  }

 private:
  bool fits(const Span& span, uint32_t lane) {
    std::vector<size_t>& open = open_[lane];
    while (!open.empty() && spans_[open.back()].end <= span.begin) open.pop_back();
    if (open.empty()) return true;
    return open.back() == span.parent && span.end <= spans_[span.parent].end;
  }

  uint32_t free_lane(int64_t now) {
    for (; !busy_.empty() && busy_.top().first <= now; busy_.pop()) {
      const auto [end, lane] = busy_.top();
      // The lane may be in use again.
      if (open_[lane].empty() || spans_[open_[lane].front()].end != end) continue;
      busy_.pop();
      open_[lane].clear();
      return lane;
    }
    open_.emplace_back();
    return static_cast<uint32_t>(open_.size() - 1);
  }

  using Busy = std::pair<int64_t, uint32_t>;  // end, lane
  std::span<const Span> spans_;
  std::vector<std::vector<size_t>> open_;  // by lane: spans, outermost first
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy_;
};

}  // namespace

std::vector<size_t> arrange(std::span<Span> spans) {
  find_parents(spans);
  const std::vector<size_t> ancestors_first = cut_circles(spans);
  std::vector<size_t> rank(spans.size());
  for (size_t i = 0; i < ancestors_first.size(); ++i) rank[ancestors_first[i]] = i;
  std::vector<size_t> order(spans.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) {
    // The longest span, then the outermost, comes first among spans with the same begin.
    return std::tuple(spans[i].begin, ~spans[i].end, rank[i]);
  });
  uint32_t trees = 0;
  for (const size_t i : order)
    if (spans[i].parent == kNoSpan) spans[i].tree = trees++;
  for (const size_t i : ancestors_first)
    if (spans[i].parent != kNoSpan) spans[i].tree = spans[spans[i].parent].tree;
  std::vector<Lanes> lanes(trees, Lanes(spans));
  for (const size_t i : order) spans[i].lane = lanes[spans[i].tree].take(i);
  return order;
}

}  // namespace tracebraid::cloud_trace
