#include "export/rows/letter_width.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(LetterWidth, CountsColumnsOfATerminal) {
  EXPECT_EQ(shown_width(""), 0U);
  EXPECT_EQ(shown_width("abc"), 3U);
  EXPECT_EQ(shown_width("süß"), 3U);
  EXPECT_EQ(shown_width("漢字"), 4U);
  EXPECT_EQ(shown_width("한글"), 4U);
  EXPECT_EQ(shown_width("ﾊﾝ"), 2U);  // halfwidth
  EXPECT_EQ(shown_width("🚀⏰✅"), 6U);
  EXPECT_EQ(shown_width("e\u0301"), 1U);
  EXPECT_EQ(shown_width("\u0e01\u0e34"), 1U);        // a Thai letter with its vowel
  EXPECT_EQ(shown_width("\u1112\u1161\u11ab"), 2U);  // a Korean syllable of three letters
  EXPECT_EQ(shown_width("a\u200db"), 2U);
  EXPECT_EQ(shown_width("…"), 1U);
}

std::string cut(std::string_view text, size_t width) {
  std::string to;
  append_cut(to, text, width);
  return to;
}

TEST(LetterWidth, CutsWithAnEllipsis) {
  EXPECT_EQ(cut("", 1), "");
  EXPECT_EQ(cut("abc", 3), "abc");
  EXPECT_EQ(cut("abcd", 3), "ab…");
  EXPECT_EQ(cut("abcd", 1), "…");
  EXPECT_EQ(cut("漢字漢", 6), "漢字漢");
  EXPECT_EQ(cut("漢字漢", 5), "漢字…");
  EXPECT_EQ(cut("漢字漢", 4), "漢…");
  EXPECT_EQ(cut("漢", 1), "…");
  EXPECT_EQ(cut("e\u0301e\u0301e\u0301", 2), "e\u0301…");
  EXPECT_EQ(cut("abe\u0301", 3), "abe\u0301");
}

TEST(LetterWidth, CutTextsFit) {
  const std::string text = "a漢e\u0301🚀\xff b\u200d字";
  for (size_t width = 1; width < 20; ++width) {
    EXPECT_LE(shown_width(cut(text, width)), width);
    if (shown_width(text) > width) EXPECT_GE(shown_width(cut(text, width)) + 1, width);
  }
}

}  // namespace
}  // namespace tracebraid
