// Bytes as hexadecimal text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracebraid {

// Appends two lower-case digits for each byte.
inline void append_hex(std::string& to, std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    to += kDigits[byte >> 4];
    to += kDigits[byte & 15];
  }
}

inline std::string hex_of(std::string_view bytes) {
  std::string hex;
  append_hex(hex, bytes);
  return hex;
}

// Returns the value of a digit of either case; -1 if `c` is no digit.
constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Returns the digits after "0x" or "0X"; nothing without such a prefix.
constexpr std::optional<std::string_view> digits_after_0x(std::string_view text) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return std::nullopt;
  return text.substr(2);
}

// Returns the text without the prefix "0x" or "0X", if it has one.
constexpr std::string_view without_0x(std::string_view text) {
  return digits_after_0x(text).value_or(text);
}

// Decodes pairs of digits. Returns an empty text for invalid digits.
inline std::string bytes_of_hex(std::string_view hex) {
  if (hex.size() % 2 != 0) return {};
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    const int high = hex_value(hex[i]), low = hex_value(hex[i + 1]);
    if (high < 0 || low < 0) return {};
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

}  // namespace tracebraid
