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

// Returns the hash of a number; 0 for none that is usual, so that 0 can mean absent.
constexpr uint64_t hash_of_number(uint64_t number) { return mix(0x9e3779b97f4a7c15, number); }

}  // namespace tracebraid::align
