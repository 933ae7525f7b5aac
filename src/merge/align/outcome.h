// What content did to the placement: hops that it gives, and causes after their effects. Part of
// Located.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clock/clock_key.h"

namespace tracebraid::align {

// Two clocks that a match set relates.
struct ContentHop {
  ClockId a, b;
  EvidenceKind kind = EvidenceKind::Measured;
  int64_t matched = 0;       // used matches
  std::string_view assumes;  // empty if nothing
};

enum class Order : uint8_t { Ok, Within, Certain, Unknown };
constexpr std::string_view name_of(Order order) {
  constexpr std::string_view kNames[] = {"ok", "within", "certain", "unknown"};
  return kNames[static_cast<size_t>(order)];
}

// A cause that the placement puts after its effect.
struct CausalViolation {
  std::string_view kind;  // as in clock_match_set
  std::string key;        // as in clock_match
  int64_t cause_ts = 0, effect_ts = 0;
  std::optional<int64_t> uncertainty_ns;  // of the two clocks against each other; none: unbounded
  Order order = Order::Unknown;
  int64_t gap_ns() const { return effect_ts - cause_ts; }
};

}  // namespace tracebraid::align
