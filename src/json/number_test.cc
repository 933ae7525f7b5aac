#include "json/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace tracebraid::json {
namespace {

std::optional<int64_t> ns(std::string_view text) {
  const std::optional<Number> number = number_in(text);
  return number ? to_ns(*number) : std::nullopt;
}

double real(std::string_view text) {
  Number number;
  EXPECT_EQ(scan_number(text.data(), text.data() + text.size(), number), text.data() + text.size());
  return to_double(number, text);
}

TEST(Number, MicrosecondsAreExact) {
  EXPECT_EQ(ns("1850244461563845.0"), 1850244461563845000);
  EXPECT_EQ(ns("3473608.458"), 3473608458);
  EXPECT_EQ(ns("5.1"), 5100);
  EXPECT_EQ(ns("4458676522690123.457"), 4458676522690123457);
  EXPECT_EQ(ns("9223372036854775.807"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(ns("-9223372036854775.807"), -std::numeric_limits<int64_t>::max());
  EXPECT_EQ(ns("0.0000000000000000000000000000001"), 0);
  EXPECT_EQ(ns("00000000000000000000000000000001.5"), 1500);
  EXPECT_EQ(ns("1.00000000000000000000000000000000"), 1000);
}

TEST(Number, RoundsHalfAwayFromZero) {
  EXPECT_EQ(ns("1.0004"), 1000);
  EXPECT_EQ(ns("1.0005"), 1001);
  EXPECT_EQ(ns("-1.0005"), -1001);
  EXPECT_EQ(ns("1.00049999999999999999999999"), 1000);
  EXPECT_EQ(ns("0.0005"), 1);
}

TEST(Number, Exponents) {
  EXPECT_EQ(ns("1.5e3"), 1500000);
  EXPECT_EQ(ns("25E-1"), 2500);
  EXPECT_EQ(ns("2E+3"), 2000000);
  EXPECT_EQ(ns("0e999999999999999"), 0);
  EXPECT_EQ(ns("1e-999999999999999"), 0);
}

TEST(Number, WhatIsNoTime) {
  for (const char* const text :
       {"", " ", "100a", "invalid", "0x10", "1e", "1e+", ".", "+", "-", "1.2.3", "--1", "NaN",
        "Infinity", "1e30", "9223372036854775.808", "1e999999999999999", "1 2"})
    EXPECT_EQ(ns(text), std::nullopt) << text;
  EXPECT_EQ(ns(" 100.5 "), 100500);
}

TEST(Number, Integers) {
  const auto whole = [](std::string_view text) { return to_int64(*number_in(text)); };
  EXPECT_EQ(whole("9223372036854775807"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(whole("-9223372036854775808"), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(whole("9223372036854775808"), std::nullopt);
  EXPECT_EQ(whole("12.0"), 12);
  EXPECT_EQ(whole("1.2e1"), 12);
  EXPECT_EQ(whole("12.5"), std::nullopt);
  EXPECT_EQ(truncated(*number_in("12.9")), 12);
  EXPECT_EQ(truncated(*number_in("-12.9")), -12);
  EXPECT_EQ(truncated(*number_in("1e300")), std::nullopt);
  EXPECT_EQ(integral_magnitude(*number_in("18446744073709551615")), 18446744073709551615U);
  EXPECT_EQ(integral_magnitude(*number_in("18446744073709551616")), std::nullopt);
}

TEST(Number, Doubles) {
  EXPECT_EQ(real("0.1"), 0.1);
  EXPECT_EQ(real("-.5"), -0.5);
  EXPECT_EQ(real("+5."), 5.0);
  EXPECT_EQ(real("123456789012345678901234567890"), 123456789012345678901234567890.0);
  EXPECT_EQ(real("1.7976931348623157e308"), 1.7976931348623157e308);
  EXPECT_EQ(real("4.9406564584124654e-324"), 4.9406564584124654e-324);
  EXPECT_EQ(real("1e400"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(real("-1e400"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(real("1e-400"), 0.0);
  EXPECT_EQ(real("-Infinity"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(real("NaN")));
}

// The fast path returns the same number as the general path, or nothing.
TEST(Number, PlainNumbersAreReadTheSame) {
  std::mt19937_64 random(7);
  size_t quick = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    const auto digits = [&](size_t most) {
      for (size_t left = random() % (most + 1); left > 0; --left)
        text += static_cast<char>('0' + random() % (random() % 4 == 0 ? 1 : 10));
    };
    if (random() % 4 == 0) text += "-+."[random() % 3];
    digits(20);
    if (random() % 2 == 0) text += '.';
    digits(10);
    if (random() % 16 == 0) text += "eE.x-"[random() % 5];
    const size_t size = text.size();
    text += ",}] \n\r"[random() % 6];
    text.resize(size + 48, '7');
    Number plain, any;
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    const char* const next = scan_plain_number(begin, end, plain);
    if (next == nullptr) continue;
    ++quick;
    ASSERT_EQ(next, begin + size) << text;
    ASSERT_EQ(scan_number(begin, end, any), next) << text;
    ASSERT_EQ(plain.mantissa, any.mantissa) << text;
    ASSERT_EQ(plain.exponent, any.exponent) << text;
    ASSERT_EQ(plain.negative, any.negative) << text;
    ASSERT_EQ(plain.cut, any.cut) << text;
    ASSERT_EQ(plain.form, any.form) << text;
  }
  EXPECT_GT(quick, 5000U);
  const std::string near_end = "12,";
  Number number;
  EXPECT_EQ(scan_plain_number(near_end.data(), near_end.data() + near_end.size(), number), nullptr);
}

}  // namespace
}  // namespace tracebraid::json
