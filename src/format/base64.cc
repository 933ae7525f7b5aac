#include "format/base64.h"

#include <array>
#include <cstdint>

namespace tracebraid {
namespace {

constexpr uint8_t kBad = 0xFF, kSkip = 0xFE;

constexpr std::array<uint8_t, 256> make_values() {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<uint8_t, 256> values{};
  values.fill(kBad);
  for (size_t i = 0; i < kDigits.size(); ++i)
    values[static_cast<uint8_t>(kDigits[i])] = static_cast<uint8_t>(i);
  for (const char c : {' ', '\t', '\r', '\n'}) values[static_cast<uint8_t>(c)] = kSkip;
  values['-'] = values['+'];  // the spelling for addresses
  values['_'] = values['/'];
  return values;
}

}  // namespace

std::optional<std::string> from_base64(std::string_view text) {
  static constexpr std::array<uint8_t, 256> kValues = make_values();
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  uint32_t bits = 0;
  unsigned digits = 0, padding = 0;
  for (const char c : text) {
    const uint8_t value = kValues[static_cast<uint8_t>(c)];
    if (value == kSkip) continue;
    if (c == '=') {
      ++padding;
      continue;
    }
    if (value == kBad || padding > 0) return std::nullopt;
    bits = bits << 6 | value;
    if (++digits % 4 != 0) continue;
    bytes += static_cast<char>(bits >> 16);
    bytes += static_cast<char>(bits >> 8);
    bytes += static_cast<char>(bits);
  }
  if (padding > 2 || digits == 0 || digits % 4 == 1) return std::nullopt;
  if (digits % 4 == 2) bytes += static_cast<char>(bits >> 4);
  if (digits % 4 == 3) {
    bytes += static_cast<char>(bits >> 10);
    bytes += static_cast<char>(bits >> 2);
  }
  return bytes;
}

}  // namespace tracebraid
