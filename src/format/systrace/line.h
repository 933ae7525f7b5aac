// A line of kernel text, taken apart (spec json 10.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/words.h"
#include "event/names.h"

namespace tracebraid::systrace {

struct Line {
  std::string_view task;  // without blanks around it
  int64_t tid = 0;
  int64_t tgid = kNoId;  // kNoId: not said
  uint32_t cpu = 0;
  int64_t ns = 0;
  bool is_count = false;   // the time had no point: ticks of a clock of the file
  std::string_view flags;  // empty if there is no such column
  bool touches = false;    // the flags touch the time
  // Of the event; empty for the function tracer; "blk" for a request as that tracer writes it,
  // "kernel_stack" for a callstack, "context_switch" and "wakeup" for those of tracers of wakeups.
  std::string_view name;
  std::string_view details;
};

// How many characters wide the flags are when nothing says so.
inline constexpr size_t kUsualFlagWidth = 4;

// `text` has no line end. `flag_width` tells flags from a time that they touch. Nothing if
// this is no line of an event.
std::optional<Line> parse_line(std::string_view text, size_t flag_width);

}  // namespace tracebraid::systrace
