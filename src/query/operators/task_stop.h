// Whether a task of many starts: the partitions of an operator, which threads take one by one.
#pragma once

#include <cstddef>

#include "query/scan/stop_check.h"

namespace tracebraid {

// Call it before each task: a short task checks nothing itself, and all together take seconds.
// Checks the deadline before some tasks only, because that reads the clock.
inline bool is_stopped_before(size_t task, const StopCheck& stop) {
  constexpr size_t kTasksPerCheck = 64;
  return task % kTasksPerCheck == 0 ? stop.stopped() : stop.requested();
}

}  // namespace tracebraid
