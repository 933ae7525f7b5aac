// The median of a number of values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tracebraid {

// Returns the median; of an even number, the larger of the two in the middle. Reorders the values.
// Requires: there is a value.
template <class Value>
Value upper_median(std::vector<Value>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace tracebraid
