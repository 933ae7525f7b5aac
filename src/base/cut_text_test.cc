#include "base/cut_text.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(CutText, KeepsShortTexts) {
  EXPECT_EQ(cut_text("", 0), "");
  EXPECT_EQ(cut_text("abc", 3), "abc");
  EXPECT_EQ(cut_text("\xC3\xA9", 2), "\xC3\xA9");
}

TEST(CutText, EndsBetweenCodePoints) {
  EXPECT_EQ(cut_text("abc", 2), "ab");
  EXPECT_EQ(cut_text("a\xC3\xA9", 2), "a");                 // two bytes
  EXPECT_EQ(cut_text("a\xE2\x82\xAC!", 3), "a");            // three
  EXPECT_EQ(cut_text("\xF0\x9F\x98\x80", 3), "");           // four
  EXPECT_EQ(cut_text("\xE2\x82\xAC!", 3), "\xE2\x82\xAC");  // the next byte begins one
}

TEST(CutText, DropsBytesThatBeginNothing) { EXPECT_EQ(cut_text("\x80\x80\x80", 2), ""); }

}  // namespace
}  // namespace tracebraid
