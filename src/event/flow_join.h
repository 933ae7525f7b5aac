// JoinFlows: whether flows with one id in several files or machines are one flow.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tracebraid {

enum class JoinFlows : uint8_t {
  Auto,  // joined if the id is evidently global
  All,   // always joined
  None,  // never joined: ids are local to a file and machine (spec clocks 12.11)
};

// Returns whether two writers are unlikely to choose this number by chance: 64 random bits, such as
// request ids; not counters, addresses or thread ids.
constexpr bool is_evidently_global(uint64_t id) {
  const int ones = std::popcount(id);
  return id >> 48 != 0 && (id & 0xffff) != 0 && id >> 48 != 0xffff && ones >= 16 && ones <= 48;
}

// Returns the same for ids that are texts: 32 or more hexadecimal digits, as in a UUID. The text is
// that of FlowExtra: lines with the process of a local id, which is never global, the scope, and
// the id.
constexpr bool is_evidently_global(std::string_view text) {
  const size_t process = text.find('\n'), scope = text.find('\n', process + 1);
  if (process != 0 || scope == std::string_view::npos) return false;
  const std::string_view id = text.substr(scope + 1);
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
