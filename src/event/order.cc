#include "event/order.h"

#include <algorithm>

#include "base/pages.h"

namespace tracebraid {
namespace {

constexpr size_t kReleasedEvents = 1 << 15;  // events released at a time, about 1 MB

}  // namespace

int64_t TimeOrder::Head::ts_of(size_t event) const {
  return is_sched ? sched()[event].ts : this->event()[event].ts;
}

uint64_t TimeOrder::Head::rank_of(size_t event) const {
  return is_sched ? run.ranks[run.facts[sched()[event].fact].cpu] : run.rank;
}

TimeOrder::TimeOrder(std::span<const Run> runs) {
  for (const Run& run : runs) {
    if (run.size() == 0) continue;
    const bool is_sched = !run.sched.empty();
    const auto* const at = is_sched ? reinterpret_cast<const char*>(run.sched.data())
                                    : reinterpret_cast<const char*>(run.at);
    const auto stride = static_cast<uint32_t>(is_sched ? sizeof(SchedRecord) : sizeof(Event));
    waiting_.push_back({0, 0, at, at + run.size() * stride, at, stride, is_sched, run});
    waiting_.back().look();
  }
  std::ranges::make_heap(waiting_, [](const Head& a, const Head& b) { return b.goes_before(a); });
}

bool TimeOrder::switch_run() {
  if (current_.at != current_.end) {
    if (current_.run.is_consumed) give_back(current_);
    current_.look();
    if (!waiting_.empty() && waiting_.front().goes_before(current_)) {
      std::swap(current_, waiting_.front());
      settle_top();
    }
  } else if (!waiting_.empty()) {
    current_ = waiting_.front();
    waiting_.front() = waiting_.back();
    waiting_.pop_back();
    settle_top();
  } else {
    return false;
  }
  left_ = std::min(current_.left(), current_.is_sched ? kMostCompact : kReleasedEvents);
  if (waiting_.empty()) return true;
  // Runs of one trace overlap little: search by doubling, then by halving.
  const Head& other = waiting_.front();
  const auto goes_first = [&](size_t event) {
    const int64_t ts = current_.ts_of(event);
    return ts != other.ts ? ts < other.ts : current_.rank_of(event) < other.rank;
  };
  size_t step = 1, known = 0;  // the first event is known to be next
  while (left_ - known > step && goes_first(known + step)) {
    known += step;
    step *= 2;
  }
  size_t first = known + 1, last = std::min(left_, known + step);
  while (first < last) {
    const size_t middle = first + (last - first) / 2;
    if (goes_first(middle))
      first = middle + 1;
    else
      last = middle;
  }
  left_ = first;
  return true;
}

// Restores the heap after a change of its front.
void TimeOrder::settle_top() {
  if (waiting_.empty()) return;
  const Head moved = waiting_.front();
  size_t at = 0;
  for (size_t child = 1; child < waiting_.size(); child = 2 * at + 1) {
    if (child + 1 < waiting_.size() && waiting_[child + 1].goes_before(waiting_[child])) ++child;
    if (!waiting_[child].goes_before(moved)) break;
    waiting_[at] = waiting_[child];
    at = child;
  }
  waiting_[at] = moved;
}

void TimeOrder::give_back(Head& head) {
  const auto used = static_cast<size_t>(head.at - head.held) / head.stride;
  if (used < kEventsInUse + kReleasedEvents) return;
  const char* const in_use = head.at - kEventsInUse * head.stride;
  discard_pages(head.held, in_use, head.run.allocator);
  head.held = in_use;
}

}  // namespace tracebraid
