// Saturating arithmetic on times.
#pragma once

#include <cstdint>
#include <limits>

namespace tracebraid {

// Returns `to` - `from`, ns. Requires: `to` >= `from`.
constexpr int64_t duration_between(int64_t from, int64_t to) {
  int64_t ns = 0;
  if (__builtin_sub_overflow(to, from, &ns)) return std::numeric_limits<int64_t>::max();
  return ns;
}

// Returns the end of a slice. Requires: `dur` >= 0. At most the largest number minus 1, because the
// largest number means "never".
constexpr int64_t end_of(int64_t ts, int64_t dur) {
  constexpr int64_t kLast = std::numeric_limits<int64_t>::max() - 1;
  int64_t end = 0;
  return __builtin_add_overflow(ts, dur, &end) || end > kLast ? kLast : end;
}

}  // namespace tracebraid
