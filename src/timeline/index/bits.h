// Fields of up to 64 bits in an array of words, for the packed columns of the index.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tracebraid::timeline {

static_assert(std::endian::native == std::endian::little);

// The width that fields of 8 bytes at any bit offset can have; wider fields have 64 bits.
inline constexpr unsigned kWidestField = 57;

constexpr unsigned field_width(uint64_t most) {
  const auto bits = static_cast<unsigned>(std::bit_width(most));
  return bits <= kWidestField ? bits : 64;
}

// Returns field `at` of an array of fields. Requires: a readable word after the array.
inline uint64_t read_field(const uint64_t* words, unsigned width, size_t at) {
  const size_t bit = at * width;
  uint64_t bits = 0;
  std::memcpy(&bits, reinterpret_cast<const char*>(words) + bit / 8, sizeof bits);
  return width == 64 ? bits : bits >> bit % 8 & ((uint64_t{1} << width) - 1);
}

// Appends fields of one width. Ends with a whole word.
inline void append_fields(const uint64_t* values, size_t count, unsigned width,
                          std::vector<uint64_t>& words) {
  uint64_t word = 0;
  unsigned filled = 0;
  for (size_t i = 0; i < count && width > 0; ++i) {
    word |= values[i] << filled;
    filled += width;
    if (filled < 64) continue;
    words.push_back(word);
    filled -= 64;
    word = filled == 0 ? 0 : values[i] >> (width - filled);
  }
  if (filled > 0) words.push_back(word);
}

// Signed differences as small unsigned numbers: 0, -1, 1, -2 ... become 0, 1, 2, 3 ...
constexpr uint64_t fold_sign(uint64_t difference) {
  return difference << 1 ^ (0 - (difference >> 63));
}
constexpr uint64_t unfold_sign(uint64_t folded) { return folded >> 1 ^ (0 - (folded & 1)); }

// Returns whether a file may have fields of this width.
constexpr bool is_field_width(unsigned width) { return width <= kWidestField || width == 64; }

// A line through rising values that predicts value i from the first one: its rise is
// (slope * i << shift) >> kSlopeFraction.
struct RisingLine {
  static constexpr unsigned kSlopeFraction = 6;
  uint32_t slope = 0;  // 0 where the values rise by more than fits
  uint8_t shift = 0;
  uint8_t padding[3] = {};

  bool is_sound() const { return shift < 64; }
  // Returns the line of `count` values that rise by `rise` in total.
  static RisingLine through(uint64_t rise, size_t count) {
    if (count < 2 || rise >> kWidestField != 0) return {};
    uint64_t slope = (rise << kSlopeFraction) / (count - 1);
    uint8_t shift = 0;
    for (; slope >> 25 != 0; slope >>= 1) ++shift;
    return {.slope = static_cast<uint32_t>(slope), .shift = shift};
  }
  uint64_t rise(size_t at) const { return (uint64_t{slope} * at << shift) >> kSlopeFraction; }
};

}  // namespace tracebraid::timeline
