#include "event/order.h"

#include <algorithm>

#include "base/pages.h"

namespace tracebraid {
namespace {

constexpr ptrdiff_t kGiveBack = 1 << 15;  // events at a time: about a megabyte
constexpr ptrdiff_t kInUse = kEventsInUse;

}  // namespace

TimeOrder::TimeOrder(std::vector<Run> runs) {
  for (const Run& run : runs)
    if (run.at != run.end) waiting_.push_back({run.at->ts, run, run.at});
  std::ranges::make_heap(waiting_, [](const Head& a, const Head& b) { return b.goes_before(a); });
}

bool TimeOrder::switch_run() {
  if (current_.run.at != current_.run.end) {
    if (current_.run.is_consumed) give_back(current_);
    current_.ts = current_.run.at->ts;
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
    limit_ = current_.run.at;
    return false;
  }
  const Run& run = current_.run;
  const Event* const end = run.end - run.at > kGiveBack ? run.at + kGiveBack : run.end;
  limit_ = end;
  if (waiting_.empty()) return true;
  // Runs of one trace overlap little: look ahead by doubling, then search.
  const Head& other = waiting_.front();
  const bool wins_ties = run.rank < other.run.rank;
  const auto goes_first = [&](const Event& event) {
    return event.ts < other.ts || (event.ts == other.ts && wins_ties);
  };
  ptrdiff_t step = 1;
  const Event* known = run.at;  // goes first, being the top
  while (end - known > step && goes_first(known[step])) {
    known += step;
    step *= 2;
  }
  const Event* const stop = end - known > step ? known + step : end;
  limit_ = std::partition_point(known + 1, std::max(known + 1, stop), goes_first);
  return true;
}

// Puts the run at the front of the heap where it belongs.
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
  if (head.run.at - head.kept < kInUse + kGiveBack) return;
  const Event* const used = head.run.at - kInUse;
  discard_pages(head.kept, used);
  head.kept = used;
}

}  // namespace tracebraid
