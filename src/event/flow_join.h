// Whether flows of one id are one flow across files and machines.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tracebraid {

enum class JoinFlows : uint8_t {
  Auto,  // if the id is evidently meant for all of them
  All,   // always
  None,  // never: an id is that of one file and machine (spec clocks 12.11)
};

// A number that two writers hardly come to by chance: 64 bits that look random, as
// those of request ids. Counters, addresses and thread ids do not.
constexpr bool is_evidently_global(uint64_t id) {
  const int ones = std::popcount(id);
  return id >> 48 != 0 && (id & 0xffff) != 0 && id >> 48 != 0xffff && ones >= 16 && ones <= 48;
}

// The same for ids that are texts: 32 hexadecimal digits or more, as of a UUID.
constexpr bool is_evidently_global(std::string_view id) {
  size_t digits = 0;
  for (const char c : id) {
    const bool is_digit =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (!is_digit && c != '-') return false;
    digits += is_digit ? 1 : 0;
  }
  return digits >= 32;
}

template <class FlowId>
constexpr bool joins(JoinFlows mode, FlowId id) {
  return mode == JoinFlows::All || (mode == JoinFlows::Auto && is_evidently_global(id));
}

}  // namespace tracebraid
