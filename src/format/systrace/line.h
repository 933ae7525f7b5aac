// Parses lines of kernel text (spec json 10.2).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/words.h"
#include "kernel/text/line.h"

namespace tracebraid::systrace {

using kernel_text::Line;

// Default width of the flags, characters.
inline constexpr size_t kUsualFlagWidth = 4;

// Requires: `text` has no line end. `flag_width` separates flags from a time without a blank.
// Returns nothing if the text is no line of an event.
std::optional<Line> parse_line(std::string_view text, size_t flag_width);

}  // namespace tracebraid::systrace
