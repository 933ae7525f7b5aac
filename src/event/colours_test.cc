#include "event/colours.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(Colours, PaletteIndexesOfTheSpecification) {
  EXPECT_EQ(palette_index("a"), 9U);
  EXPECT_EQ(palette_index("b"), 20U);
  EXPECT_EQ(palette_index("foo"), 11U);
  EXPECT_EQ(palette_index("main"), 3U);
  EXPECT_EQ(palette_index("ctr.value"), 16U);
  EXPECT_EQ(palette_index("ctr.cats"), 10U);
}

TEST(Colours, IllFormedTextHasAColour) {
  EXPECT_EQ(palette_index("\xff"), palette_index("\xef\xbf\xbd"));
  EXPECT_LT(palette_index("\xf0\x9f\x98"), kPaletteSize);
}

TEST(Colours, ReservedNamesAreNumberedInTheOrderOfTheSpecification) {
  EXPECT_EQ(reserved_colour_number("thread_state_uninterruptible"), 0U);
  EXPECT_EQ(reserved_colour_number("thread_state_iowait"), 1U);
  EXPECT_EQ(reserved_colour_number("good"), 11U);
  EXPECT_EQ(reserved_colour_number("cq_build_attempt_failed"), 33U);
  EXPECT_EQ(reserved_colour_number("cq_build_attempt_running"),
            reserved_colour_number("cq_build_attempt_runnig"));
  EXPECT_FALSE(reserved_colour_number("mauve"));
}

TEST(Colours, ReservedNames) {
  ASSERT_TRUE(reserved_colour("good"));
  EXPECT_EQ(reserved_colour("good")->green, 125);
  EXPECT_TRUE(reserved_colour("yellow"));
  EXPECT_TRUE(reserved_colour("cq_build_attempt_runnig"));
  EXPECT_TRUE(reserved_colour("cq_build_attempt_running"));
  EXPECT_FALSE(reserved_colour("mauve"));
  EXPECT_FALSE(reserved_colour(""));
}

}  // namespace
}  // namespace tracebraid
