// Dates of a recording, in the spellings of writers of JSON traces.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tracebraid::json {

// Parses a date to ns since 1970, UTC: "2016-12-2 2:20:43" (Chrome, in UTC),
// "2023-06-03T22:13:23.305Z" (DevTools), "Mon Aug 08 15:01:48 UTC 2022" (Bazel). Returns nothing
// for other text, or another named zone.
std::optional<int64_t> date_of(std::string_view text);

}  // namespace tracebraid::json
