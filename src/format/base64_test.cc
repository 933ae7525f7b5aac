#include "format/base64.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(Base64, BytesWithAndWithoutPadding) {
  EXPECT_EQ(from_base64("aGVsbG8="), "hello");
  EXPECT_EQ(from_base64("aGVsbG8"), "hello");
  EXPECT_EQ(from_base64("aGVs\r\n bG8h"), "hello!");
  EXPECT_EQ(from_base64("-_8="), from_base64("+/8="));
}

TEST(Base64, OtherTextIsNone) {
  EXPECT_FALSE(from_base64(""));
  EXPECT_FALSE(from_base64("a"));
  EXPECT_FALSE(from_base64("nothing known!"));
  EXPECT_FALSE(from_base64("aGVs=bG8h"));
  EXPECT_FALSE(from_base64("aGVs===="));
}

}  // namespace
}  // namespace tracebraid
