#include "export/rows/cell_text.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <random>

namespace tracebraid {
namespace {

std::string real(double value) {
  std::string text;
  append_real(text, value);
  return text;
}

std::string json(std::string_view value) {
  std::string text;
  append_json_string(text, value);
  return text;
}

std::string shown(std::string_view value) {
  std::string text;
  append_shown(text, Cell::of(value));
  return text;
}

TEST(CellText, RealsKeepTheirType) {
  EXPECT_EQ(real(0), "0.0");
  EXPECT_EQ(real(-0.0), "-0.0");
  EXPECT_EQ(real(1), "1.0");
  EXPECT_EQ(real(0.1), "0.1");
  EXPECT_EQ(real(1e22), "1e+22");
  EXPECT_EQ(real(123456789012345680.0), "123456789012345680.0");
  EXPECT_EQ(real(5e-324), "5e-324");
  EXPECT_EQ(real(std::numeric_limits<double>::infinity()), "1e999");
  EXPECT_EQ(real(-std::numeric_limits<double>::infinity()), "-1e999");
}

TEST(CellText, RealsReadBackTheSame) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    const std::string text = real(value);
    double back = 0;
    std::from_chars(text.data(), text.data() + text.size(), back);
    ASSERT_EQ(back, value) << text;
    ASSERT_NE(text.find_first_of(".e"), std::string::npos) << text;
  }
}

TEST(CellText, IntegersOfAllSizes) {
  std::string text;
  append_integer(text, std::numeric_limits<int64_t>::min());
  EXPECT_EQ(text, "-9223372036854775808");
}

TEST(CellText, JsonStringsAreEscaped) {
  EXPECT_EQ(json(""), R"("")");
  EXPECT_EQ(json("a\"b\\c/"), R"("a\"b\\c/")");
  EXPECT_EQ(json(std::string_view("\0\x1f\n\r\t\b\f\x7f", 8)),
            "\"\\u0000\\u001f\\n\\r\\t\\b\\f\x7f\"");
  EXPECT_EQ(json("süß 漢 😀"), "\"süß 漢 😀\"");
}

TEST(CellText, InvalidUtf8IsReplaced) {
  EXPECT_EQ(json("a\xff"
                 "b"),
            "\"a\xef\xbf\xbd"
            "b\"");
  EXPECT_EQ(json("\xc3"), "\"\xef\xbf\xbd\"");                  // cut short
  EXPECT_EQ(json("\xc0\xaf"), "\"\xef\xbf\xbd\xef\xbf\xbd\"");  // overlong
  EXPECT_EQ(utf8_length("\xed\xa0\x80"), 0U);                   // surrogate
  EXPECT_EQ(utf8_length("\xf4\x90\x80\x80"), 0U);               // beyond U+10FFFF
  EXPECT_EQ(utf8_length("\xe0\x9f\xbf"), 0U);                   // overlong
  EXPECT_EQ(utf8_length("\xf4\x8f\xbf\xbf"), 4U);
}

TEST(CellText, Blobs) {
  std::string text;
  append_json(text, {Cell::Kind::Blob, 0, 0, std::string_view("\x00\xff", 2)});
  EXPECT_EQ(text, R"({"blob":"00ff"})");
}

TEST(CellText, ShownTextsCannotMoveTheCursor) {
  EXPECT_EQ(shown("a\nb\tc\x1b[2J"), "a\\nb\\tc\\x1b[2J");
  EXPECT_EQ(shown("say \"x\\y\""), "say \"x\\y\"");
  EXPECT_EQ(shown("\x7f"), "\\x7f");
  EXPECT_EQ(shown("é\xff"), "é\xef\xbf\xbd");
  EXPECT_EQ(shown("\u009b"), "\\x9b");
  EXPECT_EQ(shown("a\u202eb\u2028\u2066…"), "a\\u202eb\\u2028\\u2066…");
}

}  // namespace
}  // namespace tracebraid
