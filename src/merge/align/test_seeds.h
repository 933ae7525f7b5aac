// The number of simulated worlds of each test of alignment: 3, or TRACEBRAID_SEEDS of the
// environment, such as 20.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace tracebraid::align {

inline uint64_t test_seeds() {
  constexpr uint64_t kUsual = 3;
  const char* text = std::getenv("TRACEBRAID_SEEDS");
  const uint64_t seeds = text == nullptr ? kUsual : std::strtoull(text, nullptr, 10);
  return seeds == 0 ? kUsual : seeds;
}

}  // namespace tracebraid::align
