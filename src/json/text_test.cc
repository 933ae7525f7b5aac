#include "json/text.h"

#include <gtest/gtest.h>

#include "json/unicode.h"

namespace tracebraid::json {
namespace {

std::string decoded(std::string_view raw) {
  std::string out;
  decode(raw, out);
  return out;
}

TEST(Text, Escapes) {
  EXPECT_EQ(decoded(R"(q\" b\\ s\/ t\t u\u00e9)"), "q\" b\\ s/ t\t u\xC3\xA9");
  EXPECT_EQ(decoded(R"(\b\f\n\r)"), "\b\f\n\r");
  EXPECT_EQ(decoded("a\\\nb"), "ab");
  EXPECT_EQ(decoded(R"(a\qb)"), "aqb");
  EXPECT_EQ(decoded(R"(\u12)"), "u12");
  EXPECT_EQ(decoded("\\"), "");
  EXPECT_EQ(decoded(R"(\u0000)"), std::string(1, '\0'));
}

TEST(Text, Surrogates) {
  EXPECT_EQ(decoded(R"(a\ud83d\ude00b)"),
            "a\xF0\x9F\x98\x80"
            "b");
  constexpr const char* kReplacement = "\xEF\xBF\xBD";
  EXPECT_EQ(decoded(R"(\ud800)"), kReplacement);
  EXPECT_EQ(decoded(R"(\udc00)"), kReplacement);
  EXPECT_EQ(decoded(R"(\ud800\ud800)"), std::string(kReplacement) + kReplacement);
  EXPECT_EQ(decoded(R"(\ud800x)"), std::string(kReplacement) + "x");
  EXPECT_EQ(decoded(R"(\ud800\u0041)"), std::string(kReplacement) + "A");
}

TEST(Text, Utf16) {
  const std::string_view little("\xFF\xFE[\0\xE9\0\x3D\xD8\x00\xDE\x00\xD8]\0", 14);
  EXPECT_TRUE(is_utf16(little));
  EXPECT_EQ(from_utf16(little), "[\xC3\xA9\xF0\x9F\x98\x80\xEF\xBF\xBD]");
  EXPECT_EQ(from_utf16(std::string_view("\xFE\xFF\0[\0\xE9\0", 7)), "[\xC3\xA9");
  EXPECT_FALSE(is_utf16("[]"));
}

// All lengths, to cover every path through the 16-byte steps.
TEST(Text, FindsTheClosingQuote) {
  for (size_t size = 0; size < 70; ++size) {
    const std::string inside(size, 'x');
    const std::string text = inside + "\"tail\\";
    StringToken token;
    const char* const end = text.data() + text.size();
    EXPECT_EQ(scan_string(text.data(), end, token), text.data() + size + 1);
    EXPECT_EQ(token.raw, inside);
    EXPECT_FALSE(token.escaped);

    const std::string escaped = inside + "\\\"" + inside + "\"";
    const char* const behind = escaped.data() + escaped.size();
    EXPECT_EQ(scan_string(escaped.data(), behind, token), behind);
    EXPECT_EQ(token.raw.size(), 2 * size + 2);
    EXPECT_TRUE(token.escaped);
    EXPECT_EQ(scan_string(escaped.data(), behind - 1, token), nullptr);
    EXPECT_EQ(scan_string(inside.data(), inside.data() + size, token), nullptr);
  }
}

TEST(Text, SkipsBlanksOfAnyLength) {
  for (size_t size = 0; size < 70; ++size) {
    for (const char other : {'"', '\0', '\v', '\x80'}) {
      std::string text(size, ' ');
      if (size > 1) text[size / 2] = "\n\r\t"[size % 3];
      text += other;
      text += std::string(size % 20, ' ');
      const char* const end = text.data() + text.size();
      EXPECT_EQ(skip_space(text.data(), end), text.data() + size);
      EXPECT_EQ(skip_space(text.data(), text.data() + size), text.data() + size);
    }
  }
}

}  // namespace
}  // namespace tracebraid::json
