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
