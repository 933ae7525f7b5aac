// Optional fields of slices, in EventBatch::slice_extras.
#pragma once

#include <cstdint>

#include "event/event.h"
#include "event/names.h"

namespace tracebraid {

// Thread time in ns, instruction counts, flows.
struct SliceExtra {
  int64_t thread_ts = kUnset;
  int64_t thread_dur = kUnset;
  int64_t instruction_count = kUnset;
  int64_t instruction_delta = kUnset;
  uint32_t flows = kNone;  // index of the first step in EventBatch::flows
  uint32_t stack = kNone;  // index of StackTables::slice_stacks
  uint32_t json = kNone;   // index of EventBatch::json.extras
};

}  // namespace tracebraid
