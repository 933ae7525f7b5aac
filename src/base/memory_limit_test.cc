#include "base/memory_limit.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(MemoryLimit, IsSharedByItsUsersAndFreeWhenTheyAreGone) {
  const auto limit = std::make_shared<MemoryLimit>(100);
  HeldMemory one(limit);
  {
    HeldMemory two(limit);
    EXPECT_TRUE(one.take(60));
    EXPECT_FALSE(two.take(41));
    EXPECT_TRUE(two.take(40));
    EXPECT_EQ(limit->used(), 100U);
    ASSERT_FALSE(two.check());
    EXPECT_EQ(two.check().error().code, ErrorCode::NoMemory);
    EXPECT_TRUE(one.check()) << "which has not asked for too much";
  }
  EXPECT_EQ(limit->used(), 60U);
  one.release(10);
  EXPECT_FALSE(one.take(~uint64_t{0}));
  EXPECT_EQ(limit->used(), 50U);
}

TEST(MemoryLimit, WithoutOneNothingIsCounted) {
  HeldMemory held(nullptr);
  EXPECT_TRUE(held.take(~uint64_t{0}));
  EXPECT_TRUE(held.check());
  EXPECT_FALSE(held.is_limited());
}

}  // namespace
}  // namespace tracebraid
