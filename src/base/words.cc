#include "base/words.h"

#include <algorithm>
#include <charconv>

namespace tracebraid {

namespace {

template <class Number>
std::optional<Number> parse_whole(std::string_view text, int base) {
  Number value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), lower_case);
  return lower;
}

std::optional<int64_t> parse_decimal(std::string_view text) {
  return parse_whole<int64_t>(text, 10);
}

std::optional<uint64_t> parse_hex(std::string_view digits) {
  return parse_whole<uint64_t>(digits, 16);
}

std::optional<int64_t> parse_billionths(std::string_view text) {
  constexpr int64_t kBillion = 1'000'000'000;
  constexpr size_t kMostDecimals = 9;
  const size_t point = text.find('.');
  const std::optional<int64_t> whole = parse_decimal(text.substr(0, point));
  if (!whole) return std::nullopt;
  int64_t part = 0;
  if (point != std::string_view::npos) {
    const std::string_view decimals = text.substr(point + 1);
    if (decimals.empty() || decimals.size() > kMostDecimals) return std::nullopt;
    for (const char c : decimals) {
      if (!is_digit(c)) return std::nullopt;
      part = part * 10 + (c - '0');
    }
    for (size_t i = decimals.size(); i < kMostDecimals; ++i) part *= 10;
  }
  int64_t result = 0;
  if (text.front() == '-') part = -part;
  if (__builtin_mul_overflow(*whole, kBillion, &result) ||
      __builtin_add_overflow(result, part, &result))
    return std::nullopt;
  return result;
}

}  // namespace tracebraid
