#include "base/words.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(Words, ReadsDecimals) {
  EXPECT_EQ(parse_decimal("-9223372036854775808"), INT64_MIN);
  for (const std::string_view no : {"", "+1", "1 ", " 1", "0x1", "9223372036854775808"})
    EXPECT_FALSE(parse_decimal(no)) << no;
}

TEST(Words, ReadsHexadecimals) {
  EXPECT_EQ(parse_hex("fFfFfFfFfFfFfFfF"), UINT64_MAX);
  for (const std::string_view no : {"", "-1", "0x1", "1g", "10000000000000000"})
    EXPECT_FALSE(parse_hex(no)) << no;
}

TEST(Words, ReadsSecondsAsBillionths) {
  EXPECT_EQ(parse_billionths("12.5"), 12'500'000'000);
  EXPECT_EQ(parse_billionths("-0.000000001"), -1);
  for (const std::string_view no : {"", "1.", ".5", "1.0000000001", "9223372037"})
    EXPECT_FALSE(parse_billionths(no)) << no;
}

TEST(Words, ConvertsLettersToLowerCase) {
  EXPECT_EQ(in_lower_case(""), "");
  EXPECT_EQ(in_lower_case("@AZ[`az{ \xC3\x84 1_B"), "@az[`az{ \xC3\x84 1_b");
}

TEST(Words, TakesWordsOff) {
  std::string_view text = " a\tbc ";
  EXPECT_EQ(take_word(text), "a");
  EXPECT_EQ(take_word(text), "bc");
  EXPECT_EQ(take_word(text), "");
}

}  // namespace
}  // namespace tracebraid
