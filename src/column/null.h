// OptInt, OptRow: numbers with one value reserved for NULL.
#pragma once

#include <cstdint>
#include <limits>

namespace tracebraid {

// The value of each type that is NULL in SQL:
//   int64_t, uint32_t, uint8_t   never
//   OptInt                       the smallest int64
//   OptRow                       0xffffffff; otherwise a row number
//   double                       NaN
//   StringId                     none
struct OptInt {
  static constexpr int64_t kNull = std::numeric_limits<int64_t>::min();
  int64_t value = kNull;
};
struct OptRow {
  static constexpr uint32_t kNull = ~uint32_t{0};
  uint32_t row = kNull;
};

}  // namespace tracebraid
