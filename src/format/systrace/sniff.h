// Is it kernel text?
#pragma once

#include <string_view>

namespace tracebraid::systrace {

// By the header that the kernel or trace-cmd writes, or by lines of events (spec json 2.1).
bool is_text(std::string_view head);

}  // namespace tracebraid::systrace
