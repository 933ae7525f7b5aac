// SchedulingEnds: when the recording of each machine's scheduler ended.
//
// In: a Store. Out: the ends that are drawn for runs and states of threads that never ended.
// Called by timeline/tracks/event_table.h.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "tables/store.h"

namespace tracebraid::timeline {

// Any thread may use it. The store outlives it.
class SchedulingEnds {
 public:
  explicit SchedulingEnds(const Store& store) : store_(store) {}

  // Returns the time of the last kernel event, switch or state of a machine with CPUs; the end of
  // the trace for other machines. A merge may go on long after the recording of one machine.
  int64_t of_machine(uint32_t machine) const;

 private:
  void find_all() const;

  const Store& store_;
  mutable std::once_flag once_;
  mutable std::vector<int64_t> ends_;  // by row of machine
};

}  // namespace tracebraid::timeline
