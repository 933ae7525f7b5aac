// Bytes as hexadecimal text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracebraid {

// Two lower-case digits a byte.
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

// What a digit stands for, of either case; -1 if it is none.
constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// The digits behind "0x" or "0X"; nothing without such a prefix.
constexpr std::optional<std::string_view> digits_after_0x(std::string_view text) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return std::nullopt;
  return text.substr(2);
}

// The same of text that may have the prefix or not.
constexpr std::string_view without_0x(std::string_view text) {
  return digits_after_0x(text).value_or(text);
}

// The bytes of such text; empty if it is none.
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
