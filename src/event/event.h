// Event: one record of a stream. event/event_kind.h defines the kinds.
#pragma once

#include <cstdint>
#include <limits>

#include "base/id.h"

namespace tracebraid {

// The value "not given" of fields of 64 bits.
inline constexpr int64_t kUnset = std::numeric_limits<int64_t>::min();

enum class EventKind : uint8_t;

struct Event {  // 40 bytes
  int64_t ts;   // ticks of `clock`; after placing, ns of trace time
  int64_t value;
  uint32_t track;
  StringId name;
  StringId category;
  uint32_t args;
  uint32_t extra;
  uint32_t clock : 24;  // index of the clock names, at most 16 M per batch
  uint32_t kind : 8;    // EventKind

  EventKind what() const { return static_cast<EventKind>(kind); }
};
static_assert(sizeof(Event) == 40);
inline constexpr uint32_t kMaxClocks = (1U << 24) - 1;

}  // namespace tracebraid
