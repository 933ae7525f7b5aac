// Vectors of millions of values, whose memory is written in blocks with checks for a stop between
// them: writing some hundred MB of new pages once takes longer than a stop may.
#pragma once

#include <span>
#include <vector>

#include "base/pages.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

// Makes an empty vector one of `size` values, in huge pages. Returns false if stopped.
template <class T>
bool set_size(std::vector<T>& values, size_t size, const StopCheck& stop, const T& value = {}) {
  reserve_in_huge_pages(values, size);
  return for_each_block(size, stop, [&](size_t, size_t end) { values.resize(end, value); });
}

// Makes an empty vector a copy of `from`, in huge pages. Returns false if stopped.
template <class T>
bool copy_values(std::span<const T> from, std::vector<T>& values, const StopCheck& stop) {
  reserve_in_huge_pages(values, from.size());
  return for_each_block(from.size(), stop, [&](size_t begin, size_t end) {
    const std::span block = from.subspan(begin, end - begin);
    values.insert(values.end(), block.begin(), block.end());
  });
}

}  // namespace tracebraid
