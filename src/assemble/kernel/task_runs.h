// Tasks of kernels other than Linux, which say what state a task enters and not who follows
// whom (spec proto 6.1).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <utility>

#include "event/names.h"

namespace tracebraid {

struct TaskStates {
  struct Running {
    uint32_t row = kNone;  // of sched, open
    uint32_t utid = kNone;
  };
  struct Hanging {  // a row whose end nobody has explained
    uint32_t row;
    int64_t end;
  };
  absl::flat_hash_map<std::pair<uint32_t, uint32_t>, Running> running;  // by machine and CPU
  absl::flat_hash_map<uint32_t, Hanging> hanging;                       // by utid
};

}  // namespace tracebraid
