// Log lines that may be copies of lines in other files.
#pragma once

#include <cstdint>

namespace tracebraid {

// Marks an EventKind::Log of the text of a bug report: added to its priority, larger than any
// priority. The log files beside the text may have the same line; equal lines of one time become
// one row.
inline constexpr int64_t kLogCopy = int64_t{1} << 40;

}  // namespace tracebraid
