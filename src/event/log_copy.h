// Log lines of a text that repeats others.
#pragma once

#include <cstdint>

namespace tracebraid {

// Added to the priority of an EventKind::Log of the text of a bug report: the log files beside it
// may have the same line. Equal ones of one time are one row. No priority is as large.
inline constexpr int64_t kLogCopy = int64_t{1} << 40;

}  // namespace tracebraid
