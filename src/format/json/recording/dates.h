// Dates of a recording, as the writers of JSON traces spell them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tracebraid::json {

// ns since 1970, UTC. "2016-12-2 2:20:43" (Chrome, which means UTC), "2023-06-03T22:13:23.305Z"
// (its DevTools), "Mon Aug 08 15:01:48 UTC 2022" (Bazel). Nothing for any other text or zone by
// name.
std::optional<int64_t> date_of(std::string_view text);

}  // namespace tracebraid::json
