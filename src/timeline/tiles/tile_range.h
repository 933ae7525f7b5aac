// Tiles: ranges of 512 buckets of a level; a bucket of level k is 2^k ns long and fixed in trace
// time (spec viewer 5.1).
#pragma once

#include <cstdint>
#include <limits>

namespace tracebraid::timeline {

inline constexpr unsigned kMostLevel = 54, kTileBits = 9;
inline constexpr uint32_t kTileBuckets = uint32_t{1} << kTileBits;
inline constexpr uint32_t kMostTiles = 64;  // of one request

// Adjacent tiles of one level.
struct TileRange {
  unsigned level = 0;
  int64_t first = 0;   // may be negative
  uint32_t count = 1;  // tiles

  // Returns whether the level and the count are in range, and all tiles have times of 64 bits.
  constexpr bool is_valid() const {
    if (level > kMostLevel || count == 0 || count > kMostTiles) return false;
    const int64_t most = std::numeric_limits<int64_t>::max() >> (level + kTileBits);
    return first >= -most - 1 && first <= most &&
           count - 1 <= static_cast<uint64_t>(most) - static_cast<uint64_t>(first);
  }
  constexpr uint32_t buckets() const { return count * kTileBuckets; }
  constexpr int64_t begin() const {
    return static_cast<int64_t>(static_cast<uint64_t>(first) << (level + kTileBits));
  }
  // The last ns of the tiles: their end can be 2^63.
  constexpr int64_t last() const { return last_of(buckets() - 1); }
  // The bucket of a time within the tiles, from their first one.
  constexpr uint32_t bucket_of(int64_t time) const {
    return static_cast<uint32_t>((static_cast<uint64_t>(time) - static_cast<uint64_t>(begin())) >>
                                 level);
  }
  constexpr int64_t begin_of(uint32_t bucket) const {
    return static_cast<int64_t>(static_cast<uint64_t>(begin()) + (uint64_t{bucket} << level));
  }
  constexpr int64_t last_of(uint32_t bucket) const {
    return static_cast<int64_t>(static_cast<uint64_t>(begin()) + (uint64_t{bucket + 1} << level) -
                                1);
  }
};

}  // namespace tracebraid::timeline
