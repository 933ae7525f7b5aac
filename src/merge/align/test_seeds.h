// The seeds of the simulated worlds of each test of alignment: 3 from 1 on, or as many as
// TRACEBRAID_SEEDS of the environment says, such as 20. TRACEBRAID_FIRST_SEED is the first one, for
// worlds that nobody has seen.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <ranges>

namespace tracebraid::align {

inline uint64_t number_of_environment(const char* name, uint64_t usual) {
  const char* text = std::getenv(name);
  const uint64_t number = text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
  return number == 0 ? usual : number;
}

// Returns `times` as many seeds as usual.
inline auto test_seeds(uint64_t times = 1) {
  const uint64_t first = number_of_environment("TRACEBRAID_FIRST_SEED", 1);
  return std::views::iota(first, first + times * number_of_environment("TRACEBRAID_SEEDS", 3));
}

}  // namespace tracebraid::align
