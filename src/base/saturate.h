// Sums that stay within the range of int64_t.
#pragma once

#include <cstdint>
#include <limits>

namespace tracebraid {

// Adds `value` to `sum`, and returns the sum.
inline int64_t add_saturated(int64_t& sum, int64_t value) {
  if (__builtin_add_overflow(sum, value, &sum))
    sum = value < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
  return sum;
}

}  // namespace tracebraid
