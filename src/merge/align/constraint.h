// Constraint: what one pair of events says about two clocks (spec alignment 2).
//
// All values are differences to a base reading of each clock, so that they fit into 64 bits and
// into the precision of double.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace tracebraid::align {

inline constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

// When clock A shows base_a + x, clock B shows base_b + x + theta with low <= theta <= high.
struct Constraint {
  int64_t x = 0;            // ns
  int64_t low = -kNoLimit;  // ns; -kNoLimit: none
  int64_t high = kNoLimit;  // ns; kNoLimit: none
  uint64_t key = 0;         // hash of what both files have in common
  bool has_low() const { return low != -kNoLimit; }
  bool has_high() const { return high != kNoLimit; }
};

// The largest rate of two clocks that count time, ns per ns: two crystals of 100 ppm.
inline constexpr double kSteepest = 2e-4;

// The readings that all values are differences to.
struct Bases {
  int64_t a = 0, b = 0;
};

// Differences beyond this are dropped: readings at both ends of 64 bits belong to no two recordings
// of one moment. About 3.6 years.
inline constexpr int64_t kFarthestNs = int64_t{1} << 57;

// Returns how far `reading` lies behind `base`; nothing if farther than kFarthestNs.
inline std::optional<int64_t> difference(int64_t reading, int64_t base) {
  int64_t ns = 0;
  if (__builtin_sub_overflow(reading, base, &ns) || ns > kFarthestNs || ns < -kFarthestNs)
    return std::nullopt;
  return ns;
}

// Returns the constraint of one event that both recordings noted at most `tolerance_ns` apart.
// Requires: x_a and x_b are differences to the bases.
inline Constraint equality(int64_t x_a, int64_t x_b, int64_t tolerance_ns, uint64_t key = 0) {
  return {x_a, x_b - x_a - tolerance_ns, x_b - x_a + tolerance_ns, key};
}
// Returns the constraint of a cause in A that precedes its effect in B by at least `least_ns`.
inline Constraint effect_in_b(int64_t x_a, int64_t x_b, int64_t least_ns, uint64_t key = 0) {
  return {x_a, -kNoLimit, x_b - x_a - least_ns, key};
}
// Returns the constraint of a cause in B that precedes its effect in A by at least `least_ns`.
inline Constraint effect_in_a(int64_t x_a, int64_t x_b, int64_t least_ns, uint64_t key = 0) {
  return {x_a, x_b - x_a + least_ns, kNoLimit, key};
}

}  // namespace tracebraid::align
