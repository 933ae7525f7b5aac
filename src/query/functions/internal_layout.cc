#include "query/functions/internal_layout.h"

#include <limits>

namespace tracebraid {

const char* InternalLayout::add(int64_t ts, int64_t dur) {
  if (ts < 0) return "INTERNAL_LAYOUT: ts cannot be negative.";
  if (dur < -1) return "INTERNAL_LAYOUT: dur cannot be < -1.";
  if (ts < last_ts_)
    return "INTERNAL_LAYOUT: Passed slices are in incorrect order: INTERNAL_LAYOUT requires "
           "timestamps to be sorted.\nPlease specify \"ORDER BY ts\" in the window clause.";
  last_ts_ = ts;
  for (; !ends_.empty() && ends_.top().first <= ts; ends_.pop()) free_.push(ends_.top().second);
  const bool reuses = !free_.empty();
  row_ = reuses ? free_.top() : rows_;
  if (dur == 0) return nullptr;
  if (reuses)
    free_.pop();
  else
    ++rows_;
  int64_t end = 0;
  if (dur < 0 || __builtin_add_overflow(ts, dur, &end))
    end = std::numeric_limits<int64_t>::max();
  ends_.emplace(end, row_);
  return nullptr;
}

}  // namespace tracebraid
