#include "event/callsite_set.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(CallsiteSet, EqualOnesHaveOneIndex) {
  std::vector<Callsite> list;
  CallsiteSet set;
  constexpr uint32_t kFrames = 700, kParents = 30;
  for (int round = 0; round < 2; ++round) {
    uint32_t expected = 0;
    for (uint32_t parent = 0; parent < kParents; ++parent)
      for (uint32_t frame = 0; frame < kFrames; ++frame, ++expected) {
        const Callsite callsite{parent == 0 ? kNone : parent - 1, frame};
        set.prefetch(callsite);
        set.prefetch_entry(list, callsite);
        ASSERT_EQ(set.index_of(list, callsite), expected);
        ASSERT_EQ(list[expected], callsite);
      }
  }
  EXPECT_EQ(list.size(), size_t{kFrames} * kParents);
}

}  // namespace
}  // namespace tracebraid
