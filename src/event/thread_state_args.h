// Args of events of kind ThreadState from our own exports: the CPU of the row of thread_state, and
// the row of sched beside it.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace tracebraid {

namespace thread_state_arg {
inline constexpr std::string_view kCpu = "state_cpu", kSchedCpu = "sched_cpu",
                                  kSchedDur = "sched_dur", kPriority = "priority",
                                  kEndState = "end_state";
}
// The duration of an event without a row of thread_state.
inline constexpr int64_t kNoThreadState = std::numeric_limits<int64_t>::min();

}  // namespace tracebraid
