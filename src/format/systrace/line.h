// Parses lines of kernel text (spec json 10.2).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/words.h"
#include "kernel/text/line.h"

namespace tracebraid::systrace {

using kernel_text::Line;

// How many characters wide the flags are when nothing says so.
inline constexpr size_t kUsualFlagWidth = 4;

// `text` has no line end. `flag_width` tells flags from a time that they touch. Nothing if
// this is no line of an event.
std::optional<Line> parse_line(std::string_view text, size_t flag_width);

}  // namespace tracebraid::systrace
