// BatchSummary: what locate() reads of the events of a batch. Stands in for the events of a batch
// that released them (merge/staged.h).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "event/batch.h"

namespace tracebraid {

// The events of one clock of a batch.
struct ClockUse {
  uint64_t metadata = 0, events = 0, compact = 0;  // counts; events and compact: of streams
  // The first and last reading of the events of streams, ns; those beyond 64 bits are left out.
  int64_t first_ns = std::numeric_limits<int64_t>::max();
  int64_t last_ns = std::numeric_limits<int64_t>::min();
  // The same with compact events: the first reading, ns, and how many fit into 64 bits.
  uint64_t fitting = 0;
  int64_t first_of_all_ns = std::numeric_limits<int64_t>::max();
  // The first reading and the end of the last slice or event, including compact events, ticks.
  int64_t begin = std::numeric_limits<int64_t>::max();
  int64_t end = std::numeric_limits<int64_t>::min();

  uint64_t of_streams() const { return events + compact; }
  uint64_t all() const { return metadata + of_streams(); }
};

struct TaskSwitch {
  int64_t ticks;
  uint32_t next_tid, cpu, clock;
};

struct BatchSummary {
  std::vector<ClockUse> clocks;      // by clock of the batch
  std::vector<TaskSwitch> switches;  // in the order of the events
  bool has_switch_extras = false;    // EventBatch::switches is not empty
};

BatchSummary summarize(const EventBatch& batch);

// The task switch that the event is, if it is one.
bool is_task_switch(const Event& event);
TaskSwitch task_switch(const Event& event, const EventBatch& batch);

}  // namespace tracebraid
