// The kinds of time. The types prevent implicit conversions between them.
//
//   Reading    what one clock showed, in ticks of that clock
//   TraceTime  a moment on the merged timeline, in ns
//   Duration   from one TraceTime to another, in ns
//
// A Reading becomes a TraceTime in exactly one place: Placement::place().
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "base/id.h"

namespace tracebraid {

struct Duration {
  int64_t ns = 0;
  friend constexpr auto operator<=>(Duration, Duration) = default;
};

struct TraceTime {
  int64_t ns = 0;
  friend constexpr auto operator<=>(TraceTime, TraceTime) = default;
};

struct Reading {
  ClockId clock;
  int64_t ticks = 0;
  friend constexpr auto operator<=>(Reading, Reading) = default;
};

// Adds without wrapping. Returns nothing if the result does not fit into 64 bits.
constexpr std::optional<TraceTime> add(TraceTime t, Duration d) {
  int64_t ns = 0;
  if (__builtin_add_overflow(t.ns, d.ns, &ns)) return std::nullopt;
  return TraceTime{ns};
}

constexpr std::optional<Duration> between(TraceTime from, TraceTime to) {
  int64_t ns = 0;
  if (__builtin_sub_overflow(to.ns, from.ns, &ns)) return std::nullopt;
  return Duration{ns};
}

}  // namespace tracebraid
