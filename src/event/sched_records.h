// Scheduling: what Event::extra of scheduler events indexes, and compact records of them.
#pragma once

#include <cstdint>
#include <utility>

#include "base/id.h"

namespace tracebraid {

struct SwitchExtra {
  int64_t prev_tid = 0, next_tid = 0;
  int64_t prev_state = 0;    // bits as in the kernel; meaning depends on its version
  StringId prev_state_text;  // text formats: the letters; otherwise none
  StringId prev_comm, next_comm;
  int32_t prev_prio = 0, next_prio = 0;
  bool adds_row = false;  // to ftrace_event; of a compact one building always adds it
};

struct WakingExtra {
  int64_t waker_tid = 0;
  int32_t prio = 0, target_cpu = 0;
  uint8_t irq_context = 2;  // 0, 1, or 2 = not known
  int8_t success = -1;      // 0, 1, or -1 = not said
  bool may_repeat = false;  // says again what a waking has said: no row if the thread is awake
  uint32_t common_flags = 0;
  StringId row_name;  // of the row that is added to ftrace_event; none: no row
};

// Event::value of a SchedWakingCompact: there are too many of them for a record each.
struct CompactWaking {
  int32_t tid;
  uint32_t common_flags;

  int64_t pack() const {
    return static_cast<int64_t>(uint64_t{common_flags} << 32 | static_cast<uint32_t>(tid));
  }
  static CompactWaking unpack(int64_t value) {
    const auto bits = static_cast<uint64_t>(value);
    return {static_cast<int32_t>(bits), static_cast<uint32_t>(bits >> 32)};
  }
};

struct BlockedExtra {
  StringId function;
  int8_t io_wait = -1;  // 0, 1, or -1 = not known
};

// Compact scheduler events, of which there are more than of all others: what many of them have in
// common is said once (event/sched_events.h makes events of them).
struct SchedTask {  // that is switched to, or wakes
  StringId comm;
  int32_t tid = 0, prio = 0;
  friend bool operator==(const SchedTask&, const SchedTask&) = default;
  template <class H>
  friend H AbslHashValue(H h, const SchedTask& of) {
    return H::combine(std::move(h), of.comm, of.tid, of.prio);
  }
};
struct SchedFact {
  int64_t value = 0;  // prev_state, or common_flags of a waking
  uint32_t cpu = 0;
  uint32_t target_cpu = 0;  // of a waking
  uint32_t clock = 0;       // index of the clock names
  bool is_waking = false;   // SchedWakingCompact, else SchedSwitchCompact
  friend bool operator==(const SchedFact&, const SchedFact&) = default;
  template <class H>
  friend H AbslHashValue(H h, const SchedFact& of) {
    return H::combine(std::move(h), of.value, of.cpu, of.target_cpu, of.clock, of.is_waking);
  }
};
struct SchedRecord {    // 16 bytes
  int64_t ts;           // as that of an Event
  uint32_t task, fact;  // of EventBatch::sched_tasks and sched_facts
};

}  // namespace tracebraid
