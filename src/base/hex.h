// Bytes as hexadecimal text.
#pragma once

#include <cstdint>
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

}  // namespace tracebraid
