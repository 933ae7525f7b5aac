// EventTime: when an event happened, as readers know it: a reading of a clock of the file.
#pragma once

#include <cstdint>

#include "event/batch.h"

namespace tracebraid {

struct EventTime {
  int64_t ticks = 0;
  uint32_t clock = 0;  // index of EventBatch::clocks
};

inline Event make_event(const EventTime& time, EventKind kind, uint32_t track) {
  return {.ts = time.ticks,
          .value = 0,
          .track = track,
          .name = {},
          .category = {},
          .args = kNone,
          .extra = kNone,
          .clock = time.clock & kMaxClocks,
          .kind = static_cast<uint32_t>(kind)};
}

}  // namespace tracebraid
