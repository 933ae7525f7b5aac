#include "format/json/base64.h"

#include <cstdint>

#include "format/json/text.h"

namespace tracebraid::json {
namespace {

int digit_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

}  // namespace

bool is_base64_digit(char c) { return digit_value(c) >= 0; }

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  uint32_t bits = 0;
  size_t digits = 0, padding = 0;
  for (const char c : text) {
    if (is_space(c)) continue;
    if (c == '=') {
      ++padding;
      continue;
    }
    const int value = digit_value(c);
    if (value < 0 || padding > 0) return std::nullopt;
    bits = bits << 6 | static_cast<uint32_t>(value);
    if (++digits % 4 == 0)
      for (const int shift : {16, 8, 0}) bytes.push_back(static_cast<char>(bits >> shift));
  }
  const size_t rest = digits % 4;
  if (rest == 1 || padding > 2 || (padding > 0 && (rest + padding) % 4 != 0)) return std::nullopt;
  if (rest >= 2) bytes.push_back(static_cast<char>(bits >> (rest == 2 ? 4 : 10)));
  if (rest == 3) bytes.push_back(static_cast<char>(bits >> 2));
  return bytes;
}

}  // namespace tracebraid::json
