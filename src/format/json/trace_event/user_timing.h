// User timing: what the names of category blink.user_timing say (spec json 4.7).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "format/json/trace_event/chunk.h"

namespace tracebraid::json {

// A name taken apart: `group:title`, or `group:title/tail`.
struct UserTiming {
  std::string_view group, title;
  std::string_view tail;  // base64, if the title ends in some; not part of it then
};

// Nothing if the category is another or the name has no group.
std::optional<UserTiming> user_timing_of(std::string_view category, std::string_view name);

// What it means, with args if the tail holds an object. Index of json.timings.
uint32_t write_user_timing(Chunk& chunk, const UserTiming& timing);

}  // namespace tracebraid::json
