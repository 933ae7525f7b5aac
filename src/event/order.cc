#include "event/order.h"

#include <algorithm>

namespace tracebraid {

TimeOrder::TimeOrder(std::vector<Run> runs) {
  std::erase_if(runs, [](const Run& run) { return run.at == run.end; });
  waiting_ = std::priority_queue<Run, std::vector<Run>, Later>(Later{}, std::move(runs));
}

bool TimeOrder::switch_run() {
  if (current_.at != current_.end) waiting_.push(current_);
  if (waiting_.empty()) {
    current_ = {nullptr, nullptr, 0, 0};
    limit_ = nullptr;
    return false;
  }
  current_ = waiting_.top();
  waiting_.pop();
  if (waiting_.empty()) {
    limit_ = current_.end;
    return true;
  }
  // Runs of one trace overlap little: look ahead by doubling, then search.
  const Run& other = waiting_.top();
  const int64_t bound = other.at->ts;
  const bool wins_ties = current_.rank < other.rank;
  const auto goes_first = [&](const Event& event) {
    return event.ts < bound || (event.ts == bound && wins_ties);
  };
  size_t step = 1;
  const Event* known = current_.at;  // goes first, being the top
  while (static_cast<size_t>(current_.end - known) > step && goes_first(known[step])) {
    known += step;
    step *= 2;
  }
  const Event* stop = std::min(current_.end, known + step);
  limit_ = std::partition_point(known + 1, std::max(known + 1, stop), goes_first);
  return true;
}

}  // namespace tracebraid
