// Random: the same numbers for the same seed on every machine and compiler, which the distributions
// of <random> do not guarantee. Integers only, for the same reason.
#pragma once

#include <bit>
#include <cstdint>

namespace tracebraid::generate {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {  // splitmix64
    uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  // Returns 0 ... n - 1. Requires: `n` is not 0.
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(((next() >> 32U) * n) >> 32U); }
  bool one_in(uint32_t n) { return below(n) == 0; }

  // Returns durations with a realistic distribution: most below `typical`, few many times longer.
  // At least 1. Requires: `typical` is at least 2.
  int64_t spread(int64_t typical) {
    uint64_t bits = next();
    int doublings = std::countr_zero(bits | (uint64_t{1} << 6U));  // 0 half the time, at most 6
    auto scale = static_cast<uint64_t>(typical / 2) << static_cast<unsigned>(doublings);
    return static_cast<int64_t>(1 + (bits >> 8U) % scale);
  }

 private:
  uint64_t state_;
};

}  // namespace tracebraid::generate
