// Hashes of keys, equal in all files.
#pragma once

#include <cstdint>

namespace tracebraid::align {

constexpr uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9ddfea08eb382d69;
  hash ^= hash >> 32;
  hash *= 0xd6e8feb86659fd93;
  return hash ^ (hash >> 29);
}

}  // namespace tracebraid::align
