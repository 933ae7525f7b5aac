// The bytes of one set of args: the width of a stored value, how a value is read, and the hashes of
// records and shapes.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "event/args.h"

namespace tracebraid {

// Returns the logarithm of the width of the value: 1, 2, 4 or 8 bytes.
inline unsigned width_of(int64_t value) {
  if (value == static_cast<int8_t>(value)) return 0;
  if (value == static_cast<int16_t>(value)) return 1;
  return value == static_cast<int32_t>(value) ? 2 : 3;
}

inline int64_t load_value(const char* at, unsigned bytes) {
  const auto as = [at]<class T>(T value) {
    std::memcpy(&value, at, sizeof value);
    return static_cast<int64_t>(value);
  };
  switch (bytes) {
    case 1:
      return as(int8_t{});
    case 2:
      return as(int16_t{});
    case 4:
      return as(int32_t{});
    default:
      return as(int64_t{});
  }
}

inline ArgRow arg_of(const ArgField& field, const char* values, bool is_last) {
  ArgRow row{};
  row.value = load_value(values + field.at, field.bytes);
  row.key = field.key;
  row.type = field.type;
  row.last = is_last;
  row.unlisted = field.unlisted;
  return row;
}

inline uint64_t mix(uint64_t hash, uint64_t value) {
  constexpr uint64_t kMultiplier = 0x9E3779B97F4A7C15;
  const auto wide = static_cast<unsigned __int128>(hash ^ value) * kMultiplier;
  return static_cast<uint64_t>(wide) ^ static_cast<uint64_t>(wide >> 64);
}

// Adds a field to the hash of a shape.
inline uint64_t mix_field(uint64_t hash, const ArgField& field) {
  return mix(hash, uint64_t{field.key} << 16 | static_cast<uint64_t>(field.type) << 8 |
                       static_cast<uint64_t>(field.unlisted) << 7 | field.bytes);
}

// Returns the hash of the values of a record, without its shape.
inline uint32_t hash_of_values(std::string_view values) {
  constexpr uint64_t kSeed = 0xD6E8FEB86659FD93;
  uint64_t hash = kSeed + values.size();
  const char* at = values.data();
  size_t left = values.size();
  for (; left >= sizeof(uint64_t); at += sizeof(uint64_t), left -= sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    hash = mix(hash, word);
  }
  uint64_t rest = 0;
  if (left > 0) std::memcpy(&rest, at, left);
  hash = mix(hash, rest);
  return static_cast<uint32_t>(hash ^ hash >> 32);
}

}  // namespace tracebraid
