#include "base/hex.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

using std::string_view_literals::operator""sv;

TEST(Hex, HasTwoDigitsAByte) {
  EXPECT_EQ(hex_of(""), "");
  EXPECT_EQ(hex_of("\x00\x0f\x10\x7f\x80\xff"sv), "000f107f80ff");
}

TEST(Hex, IsAppended) {
  std::string text = "x";
  append_hex(text, "\xab"sv);
  EXPECT_EQ(text, "xab");
}

}  // namespace
}  // namespace tracebraid
