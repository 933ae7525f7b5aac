// One event as a line of kernel text gives it (spec json 10.2).
#pragma once

#include <cstdint>
#include <string_view>

#include "event/names.h"

namespace tracebraid::kernel_text {

// The views point into the text.
struct Line {
  std::string_view task;  // without blanks around it
  int64_t tid = 0;
  int64_t tgid = kNoId;  // kNoId: not given
  uint32_t cpu = 0;
  int64_t ns = 0;
  bool is_count = false;   // the time has no decimal point: ticks of a clock of the file
  std::string_view flags;  // empty without such a column
  bool touches = false;    // no blank separates flags and time
  // The event; empty for the function tracer; "blk" for a request of the tracer blk,
  // "kernel_stack" for a callstack, "context_switch" and "wakeup" for entries of tracers of
  // wakeups.
  std::string_view name;
  std::string_view details;
};

}  // namespace tracebraid::kernel_text
