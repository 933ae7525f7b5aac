// Arithmetic on times that stays at the ends of the range instead of wrapping.
#pragma once

#include <cstdint>
#include <limits>

namespace tracebraid {

// ns from `from` to `to`, which is not earlier.
constexpr int64_t duration_between(int64_t from, int64_t to) {
  int64_t ns = 0;
  if (__builtin_sub_overflow(to, from, &ns)) return std::numeric_limits<int64_t>::max();
  return ns;
}

// The end of a slice; `dur` is not negative. The largest number means "never",
// so that an end is at most one less.
constexpr int64_t end_of(int64_t ts, int64_t dur) {
  constexpr int64_t kLast = std::numeric_limits<int64_t>::max() - 1;
  int64_t end = 0;
  return __builtin_add_overflow(ts, dur, &end) || end > kLast ? kLast : end;
}

}  // namespace tracebraid
