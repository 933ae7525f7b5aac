// Priorities of process and thread names (spec proto 4.1): a name replaces the current one if its
// priority is not lower.
#pragma once

#include <cstdint>

namespace tracebraid::proto {

namespace thread_priority {
inline constexpr int64_t kOther = 0;
inline constexpr int64_t kFtrace = 1;
inline constexpr int64_t kProcessTree = 2;
inline constexpr int64_t kDescriptorType = 3;
inline constexpr int64_t kDescriptor = 4;
}  // namespace thread_priority

namespace process_priority {
inline constexpr int64_t kOther = 0;
inline constexpr int64_t kChromeLabel = 1;
inline constexpr int64_t kDescriptor = 2;
inline constexpr int64_t kChromeRenderer = 3;
inline constexpr int64_t kSystem = 4;
inline constexpr int64_t kOwn = 5;  // the best name when our exporter wrote the file
}  // namespace process_priority

}  // namespace tracebraid::proto
