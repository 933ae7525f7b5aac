// Number: decimal numbers without loss.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tracebraid::json {

// mantissa * 10^exponent, signed. Digits that do not fit are cut off.
struct Number {
  enum class Form : uint8_t { Integer, Real, NaN, Infinite };
  uint64_t mantissa = 0;
  int32_t exponent = 0;
  bool negative = false;
  bool cut = false;  // had more digits than fit
  Form form = Form::Integer;

  bool is_finite() const { return form == Form::Integer || form == Form::Real; }
};

// Reads a number at `at`: optional sign, digits with an optional point in any
// place, optional exponent, or NaN, Infinity, nan, inf. Returns the position
// behind it, or null when there is no number.
const char* scan_number(const char* at, const char* end, Number& number);

// The number that `text` spells, blanks around it ignored; nothing if anything
// else is left over or it is not finite.
std::optional<Number> number_in(std::string_view text);

// Microseconds to nanoseconds, rounded half away from zero; nothing if not
// finite or |ns| >= 2^63 (spec json 3.2).
std::optional<int64_t> to_ns(const Number& microseconds);

// The value if it is integral and fits: 5, 5.0, 5e3.
std::optional<int64_t> to_int64(const Number& number);
// Towards zero; nothing if it does not fit.
std::optional<int64_t> truncated(const Number& number);
// The magnitude of an integral value, whatever its sign.
std::optional<uint64_t> integral_magnitude(const Number& number);

// Correctly rounded. `text` is what the number was read from.
double to_double(const Number& number, std::string_view text);

}  // namespace tracebraid::json
