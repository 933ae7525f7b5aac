#include "base/base64.h"

#include <array>
#include <cstdint>

namespace tracebraid {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kBad = 0xFF, kSkip = 0xFE;

constexpr std::array<uint8_t, 256> make_values() {
  std::array<uint8_t, 256> values{};
  values.fill(kBad);
  for (size_t i = 0; i < kDigits.size(); ++i)
    values[static_cast<uint8_t>(kDigits[i])] = static_cast<uint8_t>(i);
  for (const char c : {' ', '\t', '\r', '\n'}) values[static_cast<uint8_t>(c)] = kSkip;
  values['-'] = values['+'];
  values['_'] = values['/'];
  return values;
}

}  // namespace

bool is_base64_digit(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
         c == '/';
}

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view part = bytes.substr(at, 3);
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (i < part.size() ? static_cast<uint8_t>(part[i]) : 0U);
    for (size_t i = 0; i < 4; ++i)
      text += i <= part.size() ? kDigits[bits >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  static constexpr std::array<uint8_t, 256> kValues = make_values();
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  uint32_t bits = 0;
  size_t digits = 0, padding = 0;
  for (const char c : text) {
    const uint8_t value = kValues[static_cast<uint8_t>(c)];
    if (value == kSkip) continue;
    if (c == '=') {
      ++padding;
      continue;
    }
    if (value == kBad || padding > 0) return std::nullopt;
    bits = bits << 6 | value;
    if (++digits % 4 == 0)
      for (const int shift : {16, 8, 0}) bytes += static_cast<char>(bits >> shift);
  }
  const size_t rest = digits % 4;
  if (rest == 1 || padding > 2 || (padding > 0 && (rest + padding) % 4 != 0)) return std::nullopt;
  if (rest >= 2) bytes += static_cast<char>(bits >> (rest == 2 ? 4 : 10));
  if (rest == 3) bytes += static_cast<char>(bits >> 2);
  return bytes;
}

}  // namespace tracebraid
