// Parses lines of kernel text (spec json 10.2).
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
  int64_t tgid = kNoId;  // kNoId: not given
  uint32_t cpu = 0;
  int64_t ns = 0;
  bool is_count = false;   // the time has no point: ticks of a clock of the file
  std::string_view flags;  // empty without such a column
  bool touches = false;    // whether no blank separates flags and time
  // Name of the event; empty for the function tracer; "blk" for a request in that tracer's form,
  // "kernel_stack" for a callstack, "context_switch" and "wakeup" for those of wakeup tracers.
  std::string_view name;
  std::string_view details;
};

// Default width of the flags, characters.
inline constexpr size_t kUsualFlagWidth = 4;

// Requires: `text` has no line end. `flag_width` separates flags from a time without a blank.
// Returns nothing if the text is no line of an event.
std::optional<Line> parse_line(std::string_view text, size_t flag_width);

}  // namespace tracebraid::systrace
