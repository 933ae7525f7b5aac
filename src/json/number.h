// Number: JSON numbers as exact decimals.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

namespace tracebraid::json {

// mantissa * 10^exponent, with a sign. Digits that do not fit are truncated.
struct Number {
  enum class Form : uint8_t { Integer, Real, NaN, Infinite };
  uint64_t mantissa = 0;
  int32_t exponent = 0;
  bool negative = false;
  bool cut = false;       // digits were truncated
  bool round_up = false;  // the first truncated digit was 5 or more
  Form form = Form::Integer;

  bool is_finite() const { return form == Form::Integer || form == Form::Real; }
};

// Parses a number at `at`: optional sign, digits with an optional point in any place, optional
// exponent, or NaN, Infinity, nan, inf. Returns the position after it, or null if there is no
// number.
const char* scan_number(const char* at, const char* end, Number& number);

namespace number_detail {

inline constexpr uint64_t kPowersOfTen[] = {1,      10,      100,      1000,     10000,
                                            100000, 1000000, 10000000, 100000000};

// Parses up to 8 digits at `at`. Requires: 8 readable bytes. Returns the number of digits.
inline unsigned scan_digits(const char* at, uint64_t& value) {
  static_assert(std::endian::native == std::endian::little);
  constexpr uint64_t kOnes = 0x0101010101010101;
  uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  bytes ^= kOnes * '0';  // digits become 0 to 9
  const uint64_t others = ((bytes + kOnes * 0x76) | bytes) & kOnes * 0x80;
  const auto digits = others == 0 ? 8U : static_cast<unsigned>(std::countr_zero(others)) / 8;
  if (digits == 0) return 0;
  bytes <<= 8 * (8 - digits);  // leading zeros
  bytes = bytes * 10 + (bytes >> 8);
  constexpr uint64_t kEvery4 = 0x000000FF000000FF;
  value = ((bytes & kEvery4) * (100 + (uint64_t{1000000} << 32)) +
           ((bytes >> 16) & kEvery4) * (1 + (uint64_t{10000} << 32))) >>
          32;
  return digits;
}

}  // namespace number_detail

// The fast path for most numbers: at most 16 digits before a point, 7 after it and 19 in all,
// followed by a comma, bracket or blank. Returns null for anything else, and near `end`.
inline const char* scan_plain_number(const char* at, const char* end, Number& number) {
  using number_detail::kPowersOfTen;
  if (end - at < 40) return nullptr;
  const bool negative = *at == '-';
  at += negative ? 1 : 0;
  uint64_t mantissa = 0;
  unsigned digits = number_detail::scan_digits(at, mantissa);
  if (digits == 0) return nullptr;
  at += digits;
  if (digits == 8) {
    uint64_t more = 0;
    const unsigned added = number_detail::scan_digits(at, more);
    mantissa = mantissa * kPowersOfTen[added] + more;
    digits += added;
    at += added;  // a 17th digit is no valid follower
  }
  auto form = Number::Form::Integer;
  int32_t exponent = 0;
  if (*at == '.') {
    form = Number::Form::Real;
    uint64_t fraction = 0;
    const unsigned added = number_detail::scan_digits(++at, fraction);
    if (added == 8 || digits + added > 19) return nullptr;
    mantissa = mantissa * kPowersOfTen[added] + fraction;
    if (mantissa != 0) exponent = -static_cast<int32_t>(added);
    at += added;
  }
  switch (*at) {
    case ',':
    case '}':
    case ']':
    case ' ':
    case '\n':
    case '\r':
      break;
    default:
      return nullptr;
  }
  number.mantissa = mantissa;
  number.exponent = exponent;
  number.negative = negative;
  number.cut = number.round_up = false;
  number.form = form;
  return at;
}

// Parses `text`, ignoring surrounding blanks. Returns nothing if other characters follow or the
// number is not finite.
std::optional<Number> number_in(std::string_view text);

// Converts microseconds to nanoseconds, rounding half away from zero. Returns nothing if the number
// is not finite or |ns| >= 2^63 (spec json 3.2).
std::optional<int64_t> to_ns_slowly(const Number& microseconds);
inline std::optional<int64_t> to_ns(const Number& microseconds) {
  constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  constexpr uint64_t kMostWith[] = {kMost, kMost / 10, kMost / 100, kMost / 1000};
  const auto exponent = static_cast<uint32_t>(microseconds.exponent + 3);
  if (!microseconds.is_finite() || microseconds.round_up || exponent > 3 ||
      microseconds.mantissa > kMostWith[exponent])
    return to_ns_slowly(microseconds);
  const auto ns =
      static_cast<int64_t>(microseconds.mantissa * number_detail::kPowersOfTen[exponent]);
  return microseconds.negative ? -ns : ns;
}

// Returns the value if it is integral and fits: 5, 5.0, 5e3.
std::optional<int64_t> to_int64_slowly(const Number& number);
inline std::optional<int64_t> to_int64(const Number& number) {
  constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  if (number.form != Number::Form::Integer || number.cut || number.mantissa > kMost)
    return to_int64_slowly(number);
  const auto value = static_cast<int64_t>(number.mantissa);
  return number.negative ? -value : value;
}
// Rounds towards zero. Returns nothing if the value does not fit.
std::optional<int64_t> truncated(const Number& number);
// Returns the absolute value if it is integral and fits.
std::optional<uint64_t> integral_magnitude(const Number& number);

// Returns the nearest double. `text` is the source of the number.
double to_double(const Number& number, std::string_view text);

}  // namespace tracebraid::json
