// Scheduling: the records that Event::extra of scheduler events refers to, and compact events.
#pragma once

#include <cstdint>
#include <utility>

#include "base/id.h"

namespace tracebraid {

struct SwitchExtra {
  int64_t prev_tid = 0, next_tid = 0;
  int64_t prev_state = 0;    // bits of the kernel, whose meaning depends on its version
  StringId prev_state_text;  // the letters of text formats; otherwise none
  StringId prev_comm, next_comm;
  int32_t prev_prio = 0, next_prio = 0;
  bool has_no_state = false;  // the previous thread's state is not known
  bool adds_row = false;      // also adds a row of ftrace_event; compact events always add it
};

struct WakingExtra {
  int64_t waker_tid = 0;
  int32_t prio = 0, target_cpu = 0;
  uint8_t irq_context = 2;  // 0, 1, or 2: not known
  int8_t success = -1;      // 0, 1, or -1: not given
  bool may_repeat = false;  // may repeat a waking: no row if the thread is awake
  uint32_t common_flags = 0;
  StringId row_name;  // name of the row to add to ftrace_event; none: no row
};

// Event::value of a SchedWakingCompact, which is too frequent for a record of its own.
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
  int8_t io_wait = -1;  // 0, 1, or -1: not known
};

// Compact scheduler events, the most frequent of all events, share their common data
// (event/sched_events.h makes events of them).
struct SchedTask {  // a thread that is switched to or woken
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
  // A switch before the start of valid data: only a row of ftrace_event. Set by placing.
  bool is_early = false;
  friend bool operator==(const SchedFact&, const SchedFact&) = default;
  template <class H>
  friend H AbslHashValue(H h, const SchedFact& of) {
    return H::combine(std::move(h), of.value, of.cpu, of.target_cpu, of.clock, of.is_waking,
                      of.is_early);
  }
};
struct SchedRecord {    // 16 bytes
  int64_t ts;           // as Event::ts
  uint32_t task, fact;  // indexes of EventBatch::sched_tasks and sched_facts
};

}  // namespace tracebraid
