// User timing: parses names of category blink.user_timing (spec json 4.7).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "format/json/trace_event/chunk.h"

namespace tracebraid::json {

// The parts of a name: `group:title`, or `group:title/tail`.
struct UserTiming {
  std::string_view group, title;
  std::string_view tail;  // base64 at the end of the title, if any; not part of the title then
};

// Returns nothing for another category, or a name without a group.
std::optional<UserTiming> user_timing_of(std::string_view category, std::string_view name);

// Records the timing, with args if the tail contains an object. Returns the index of json.timings.
uint32_t write_user_timing(Chunk& chunk, const UserTiming& timing);

}  // namespace tracebraid::json
