#include "json/number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "json/text.h"

namespace tracebraid::json {
namespace {

constexpr std::array<uint64_t, 20> kPowers = [] {
  std::array<uint64_t, 20> powers{};
  uint64_t power = 1;
  for (uint64_t& slot : powers) {
    slot = power;
    power *= 10;
  }
  return powers;
}();

constexpr int32_t kMaxPower = 19;  // of ten, in 64 bits
constexpr int32_t kHugeExponent = 100'000;

bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

// Accumulates digits in the mantissa while it has room. Each digit adds `scale` to the exponent.
inline const char* scan_digits(const char* at, const char* end, int32_t scale, Number& n) {
  constexpr uint64_t kRoom = std::numeric_limits<uint64_t>::max() / 10 - 1;  // for one digit more
  const char* const first = at;
  uint64_t mantissa = n.mantissa;
  for (; at < end && is_digit(*at) && mantissa <= kRoom; ++at)
    mantissa = mantissa * 10 + static_cast<uint64_t>(*at - '0');
  n.mantissa = mantissa;
  if (mantissa != 0) n.exponent += scale * static_cast<int32_t>(at - first);
  for (; at < end && is_digit(*at); ++at) {
    const auto digit = static_cast<uint64_t>(*at - '0');
    uint64_t longer = 0;
    if (!n.cut && !__builtin_mul_overflow(n.mantissa, 10, &longer) &&
        !__builtin_add_overflow(longer, digit, &longer)) {
      n.mantissa = longer;
      n.exponent += scale;
    } else {
      if (!n.cut) n.round_up = digit >= 5;
      n.cut = true;
      if (n.exponent < kHugeExponent) n.exponent += scale + 1;
    }
  }
  return at;
}

// Requires: `at` is after the 'e'. Without digits there is no exponent.
const char* scan_exponent(const char* at, const char* end, Number& n) {
  const bool minus = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) ++at;
  if (at == end || !is_digit(*at)) return nullptr;
  int32_t exponent = 0;
  for (; at < end && is_digit(*at); ++at)
    if (exponent < kHugeExponent) exponent = exponent * 10 + (*at - '0');
  n.exponent += minus ? -exponent : exponent;
  return at;
}

const char* scan_word(const char* at, const char* end, Number& n) {
  const std::string_view rest(at, static_cast<size_t>(end - at));
  for (const std::string_view word : {"Infinity", "inf", "NaN", "nan"}) {
    if (!rest.starts_with(word)) continue;
    n.form = word[0] == 'I' || word[0] == 'i' ? Number::Form::Infinite : Number::Form::NaN;
    return at + word.size();
  }
  return nullptr;
}

}  // namespace

const char* scan_number(const char* at, const char* end, Number& number) {
  Number n;
  if (at < end && (*at == '-' || *at == '+')) n.negative = *at++ == '-';
  const char* const first = at;
  at = scan_digits(at, end, 0, n);
  ptrdiff_t seen = at - first;
  if (at < end && *at == '.') {
    n.form = Number::Form::Real;
    const char* const fraction = ++at;
    at = scan_digits(at, end, -1, n);
    seen += at - fraction;
  }
  if (seen == 0) {
    number = {};
    number.negative = n.negative;
    return scan_word(first, end, number);
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    n.form = Number::Form::Real;
    at = scan_exponent(at + 1, end, n);
  }
  number = n;
  return at;
}

std::optional<Number> number_in(std::string_view text) {
  const char* const end = text.data() + text.size();
  const char* at = skip_space(text.data(), end);
  Number number;
  at = at == end ? nullptr : scan_number(at, end, number);
  if (at == nullptr || skip_space(at, end) != end || !number.is_finite()) return std::nullopt;
  return number;
}

std::optional<int64_t> to_ns_slowly(const Number& microseconds) {
  if (!microseconds.is_finite()) return std::nullopt;
  uint64_t ns = microseconds.mantissa;
  const int32_t power = microseconds.exponent + 3;
  if (power > 0 && ns != 0) {
    if (power > kMaxPower) return std::nullopt;
    if (__builtin_mul_overflow(ns, kPowers[static_cast<size_t>(power)], &ns)) return std::nullopt;
  } else if (power < 0) {
    if (power < -kMaxPower) return 0;
    const uint64_t divisor = kPowers[static_cast<size_t>(-power)];
    const uint64_t rest = ns % divisor;
    ns /= divisor;
    if (rest >= divisor / 2) ++ns;
  } else if (power == 0 && microseconds.round_up && ns != std::numeric_limits<uint64_t>::max()) {
    ++ns;
  }
  if (ns > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
  const auto value = static_cast<int64_t>(ns);
  return microseconds.negative ? -value : value;
}

std::optional<uint64_t> integral_magnitude(const Number& number) {
  if (!number.is_finite() || number.cut) return std::nullopt;
  uint64_t value = number.mantissa;
  if (value == 0) return 0;
  if (number.exponent > kMaxPower || number.exponent < -kMaxPower) return std::nullopt;
  if (number.exponent >= 0) {
    const uint64_t power = kPowers[static_cast<size_t>(number.exponent)];
    if (__builtin_mul_overflow(value, power, &value)) return std::nullopt;
    return value;
  }
  const uint64_t divisor = kPowers[static_cast<size_t>(-number.exponent)];
  if (value % divisor != 0) return std::nullopt;
  return value / divisor;
}

namespace {

std::optional<int64_t> with_sign(uint64_t magnitude, bool negative) {
  constexpr uint64_t kLimit = uint64_t{1} << 63;
  if (negative) {
    if (magnitude > kLimit) return std::nullopt;
    return static_cast<int64_t>(0 - magnitude);
  }
  if (magnitude >= kLimit) return std::nullopt;
  return static_cast<int64_t>(magnitude);
}

}  // namespace

std::optional<int64_t> to_int64_slowly(const Number& number) {
  if (number.form == Number::Form::Integer && !number.cut)
    return with_sign(number.mantissa, number.negative);
  const std::optional<uint64_t> magnitude = integral_magnitude(number);
  return magnitude ? with_sign(*magnitude, number.negative) : std::nullopt;
}

std::optional<int64_t> truncated(const Number& number) {
  if (!number.is_finite()) return std::nullopt;
  if (number.exponent >= 0) return to_int64(number);
  if (number.exponent < -kMaxPower) return 0;
  return with_sign(number.mantissa / kPowers[static_cast<size_t>(-number.exponent)],
                   number.negative);
}

double to_double(const Number& number, std::string_view text) {
  constexpr uint64_t kExactMantissa = uint64_t{1} << 53;
  constexpr int32_t kExactPower = 19;  // 10^19 and below are exact doubles
  if (number.form == Number::Form::NaN) return std::numeric_limits<double>::quiet_NaN();
  double value = std::numeric_limits<double>::infinity();
  if (number.form != Number::Form::Infinite) {
    if (!number.cut && number.mantissa <= kExactMantissa && number.exponent <= kExactPower &&
        number.exponent >= -kExactPower) {
      value = static_cast<double>(number.mantissa);
      if (number.exponent < 0)
        value /= static_cast<double>(kPowers[static_cast<size_t>(-number.exponent)]);
      else
        value *= static_cast<double>(kPowers[static_cast<size_t>(number.exponent)]);
    } else {
      const char* at = skip_space(text.data(), text.data() + text.size());
      if (at < text.data() + text.size() && (*at == '-' || *at == '+')) ++at;
      const auto [end, error] = std::from_chars(at, text.data() + text.size(), value);
      if (error == std::errc::result_out_of_range)
        value = number.exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
    }
  }
  return number.negative ? -value : value;
}

}  // namespace tracebraid::json
