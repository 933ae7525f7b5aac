// NumbersByGroup: lists of numbers, such as the children of each node, in two arrays: millions of
// lists with memory of their own take long to free.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "query/scan/large_vector.h"

namespace tracebraid {

class NumbersByGroup {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  // Lists the numbers below `numbers`, each in the group group_of(number), which is less than
  // `groups`, or kNone. Returns false if stopped.
  template <class GroupOf>
  bool fill(size_t groups, size_t numbers, const StopCheck& stop, GroupOf group_of) {
    const auto for_each = [&](auto body) {
      return for_each_block(numbers, stop, [&](size_t begin, size_t end) {
        for (size_t number = begin; number < end; ++number)
          if (const uint32_t group = group_of(number); group != kNone)
            body(group, static_cast<uint32_t>(number));
      });
    };
    if (!set_size(ends_, groups, stop) ||
        !for_each([&](uint32_t group, uint32_t) { ++ends_[group]; }))
      return false;
    // Each end is the start of the group until the group is filled.
    size_t sum = 0;
    const bool is_summed = for_each_block(groups, stop, [&](size_t begin, size_t end) {
      for (size_t group = begin; group < end; ++group)
        sum += std::exchange(ends_[group], static_cast<uint32_t>(sum));
    });
    return is_summed && set_size(numbers_, sum, stop) &&
           for_each([&](uint32_t group, uint32_t number) { numbers_[ends_[group]++] = number; });
  }
  // The numbers of a group, in their order until the caller changes it.
  std::span<uint32_t> of(size_t group) {
    const size_t begin = group == 0 ? 0 : ends_[group - 1];
    return std::span(numbers_).subspan(begin, ends_[group] - begin);
  }

 private:
  std::vector<uint32_t> ends_, numbers_;
};

}  // namespace tracebraid
