// Wall-clock times as ISO 8601 writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracebraid {

// "2026-11-20T12:03:04.113Z" or "...+01:00" as ns since 1970, UTC. The time zone is
// required; seconds may have up to nine decimals. Nothing for anything else.
std::optional<int64_t> parse_iso_time(std::string_view text);

// The shortest text that parse_iso_time() reads as the same, in UTC.
std::string print_iso_time(int64_t utc_ns);

}  // namespace tracebraid
