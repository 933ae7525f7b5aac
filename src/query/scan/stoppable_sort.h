// A stable sort that can be stopped: std::stable_sort over blocks, which are then merged.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "query/scan/large_vector.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

// Returns false if stopped; then the order of `items` is undefined. Checks `stop` every few
// milliseconds; a few items are sorted without a check.
template <class T, class Less>
bool stable_sort(std::vector<T>& items, Less less, const StopCheck& stop) {
  constexpr size_t kBlock = size_t{1} << 14;  // items sorted or merged between two checks
  constexpr size_t kFew = 64;
  const size_t size = items.size();
  if (size <= kFew) {
    std::stable_sort(items.begin(), items.end(), less);
    return true;
  }
  for (size_t begin = 0; begin < size; begin += kBlock) {
    if (stop.stopped()) return false;
    const size_t end = std::min(begin + kBlock, size);
    std::stable_sort(items.begin() + static_cast<ptrdiff_t>(begin),
                     items.begin() + static_cast<ptrdiff_t>(end), less);
  }
  std::vector<T> merged;
  if (size > kBlock) reserve_in_huge_pages(merged, size);
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

// The same for items that are part of another list.
template <class T, class Less>
bool stable_sort(std::span<T> items, Less less, const StopCheck& stop) {
  std::vector<T> sorted;
  return copy_values(std::span<const T>(items), sorted, stop) && stable_sort(sorted, less, stop) &&
         for_each_block(items.size(), stop, [&](size_t begin, size_t end) {
           std::ranges::copy(std::span(sorted).subspan(begin, end - begin),
                             items.begin() + static_cast<ptrdiff_t>(begin));
         });
}

// Moves the items so that the one at `n` is that of a sorted list, none before it is greater and
// none behind it is less. Returns false if stopped. Takes linear time on average. Requires: n is
// less than the number of items.
template <class T>
bool select_nth(std::vector<T>& items, size_t n, const StopCheck& stop) {
  PacedStopCheck check(stop);
  uint64_t random = items.size();  // the same pivots in each run
  for (size_t begin = 0, end = items.size(); end - begin > 1;) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    const T pivot = items[begin + static_cast<size_t>(random >> 32) % (end - begin)];
    // Less than the pivot up to `less`, equal up to `at`, greater from `greater` on.
    size_t less = begin, at = begin, greater = end;
    while (at < greater) {
      if (check.stopped()) return false;
      if (items[at] < pivot)
        std::swap(items[less++], items[at++]);
      else if (pivot < items[at])
        std::swap(items[at], items[--greater]);
      else
        ++at;
    }
    if (n >= less && n < greater) return true;
    (n < less ? end : begin) = n < less ? less : greater;
  }
  return true;
}

}  // namespace tracebraid
