// A stable sort that can be stopped: std::stable_sort over blocks, which are then merged.
#pragma once

#include <algorithm>
#include <vector>

#include "query/scan/stop_check.h"

namespace tracebraid {

// Returns false if stopped; then the order of `items` is undefined. Checks `stop` every few
// milliseconds.
template <class T, class Less>
bool stable_sort(std::vector<T>& items, Less less, const StopCheck& stop) {
  constexpr size_t kBlock = size_t{1} << 14;  // items sorted or merged between two checks
  const size_t size = items.size();
  for (size_t begin = 0; begin < size; begin += kBlock) {
    if (stop.stopped()) return false;
    const size_t end = std::min(begin + kBlock, size);
    std::stable_sort(items.begin() + static_cast<ptrdiff_t>(begin),
                     items.begin() + static_cast<ptrdiff_t>(end), less);
  }
  std::vector<T> merged;
  for (size_t width = kBlock; width < size; width *= 2) {
    merged.clear();
    merged.reserve(size);
    for (size_t begin = 0; begin < size; begin += 2 * width) {
      size_t left = begin, right = std::min(begin + width, size);
      const size_t left_end = right, right_end = std::min(begin + 2 * width, size);
      while (left != left_end || right != right_end) {
        if (merged.size() % kBlock == 0 && stop.stopped()) return false;
        const bool takes_right =
            left == left_end || (right != right_end && less(items[right], items[left]));
        merged.push_back(std::move(items[takes_right ? right++ : left++]));
      }
    }
    items.swap(merged);
  }
  return true;
}

}  // namespace tracebraid
