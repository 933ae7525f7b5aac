// The states of tasks of kernels other than Linux (spec proto 6.1).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tracebraid::generic_task {

enum State : int32_t { kCreated = 1, kRunnable = 2, kRunning = 3, kDead = 7, kDestroyed = 8 };

// The names of the states in thread_state, by number.
inline constexpr std::array<std::string_view, 9> kNames{"",  "Created", "R", "Running", "S",
                                                        "D", "T",       "Z", "X"};

}  // namespace tracebraid::generic_task
