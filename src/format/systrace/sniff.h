// Detects kernel text.
#pragma once

#include <string_view>

namespace tracebraid::systrace {

// Matches the header of the kernel or of trace-cmd, or lines of events (spec json 2.1).
bool is_text(std::string_view head);

}  // namespace tracebraid::systrace
