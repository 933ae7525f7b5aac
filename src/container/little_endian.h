// Little-endian numbers in a range of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tracebraid {

// Requires: `at` + sizeof(T) lies in `bytes`.
template <class T>
T load_le(std::string_view bytes, size_t at) {
  T value = 0;
  for (size_t i = sizeof(T); i-- > 0;)
    value = static_cast<T>(static_cast<uint64_t>(value) << 8 | static_cast<uint8_t>(bytes[at + i]));
  return value;
}

}  // namespace tracebraid
