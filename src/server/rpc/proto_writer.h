// Functions that append fields of protobuf messages to a text.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tracebraid::rpc {

enum class Wire : uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2 };

inline void append_varint(std::string& to, uint64_t value) {
  while (value >= 0x80) {
    to.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  to.push_back(static_cast<char>(value));
}

inline void append_tag(std::string& to, uint32_t number, Wire wire) {
  append_varint(to, number << 3 | static_cast<uint32_t>(wire));
}

inline void append_int(std::string& to, uint32_t number, int64_t value) {
  append_tag(to, number, Wire::Varint);
  append_varint(to, static_cast<uint64_t>(value));
}

inline void append_bytes(std::string& to, uint32_t number, std::string_view bytes) {
  append_tag(to, number, Wire::Bytes);
  append_varint(to, bytes.size());
  to += bytes;
}

inline void append_double(std::string& to, uint32_t number, double value) {
  append_tag(to, number, Wire::Fixed64);
  const auto bits = std::bit_cast<uint64_t>(value);
  to.append(reinterpret_cast<const char*>(&bits), sizeof bits);
}

// The length of a message whose end is not known when it begins takes 4 bytes.
inline constexpr size_t kLengthBytes = 4;
inline constexpr size_t kMostNestedBytes = (size_t{1} << 28) - 1;

// Begins a nested message. Returns the place for end_message().
inline size_t begin_message(std::string& to, uint32_t number) {
  append_tag(to, number, Wire::Bytes);
  to.append(kLengthBytes, '\0');
  return to.size();
}

// Ends a nested message: sets its length. Returns false if it is longer than kMostNestedBytes.
inline bool end_message(std::string& to, size_t begin) {
  size_t size = to.size() - begin;
  if (size > kMostNestedBytes) return false;
  for (size_t i = 0; i < kLengthBytes; ++i, size >>= 7)
    to[begin - kLengthBytes + i] =
        static_cast<char>((size & 0x7f) | (i + 1 < kLengthBytes ? 0x80 : 0));
  return true;
}

}  // namespace tracebraid::rpc
