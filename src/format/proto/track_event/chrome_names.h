// Display names of Chrome's processes and threads.
#pragma once

#include <cstdint>
#include <string_view>

namespace tracebraid::proto {

inline constexpr uint32_t kChromeRenderer = 2;  // ProcessType PROCESS_RENDERER

// Returns an empty text for a type without a name.
constexpr std::string_view chrome_process_name(uint32_t type) {
  switch (type) {
#define TB_PROCESS_TYPE(value, name) \
  case value:                        \
    return name;
#define TB_THREAD_TYPE(value, name)
#include "format/proto/generated/chrome_names.inc"
#undef TB_PROCESS_TYPE
#undef TB_THREAD_TYPE
    default:
      return {};
  }
}

constexpr std::string_view chrome_thread_name(uint32_t type) {
  switch (type) {
#define TB_PROCESS_TYPE(value, name)
#define TB_THREAD_TYPE(value, name) \
  case value:                       \
    return name;
#include "format/proto/generated/chrome_names.inc"
#undef TB_PROCESS_TYPE
#undef TB_THREAD_TYPE
    default:
      return {};
  }
}

}  // namespace tracebraid::proto
