// Wall-clock times in ISO 8601.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracebraid {

// Parses "2026-11-20T12:03:04.113Z" or "...+01:00" as ns since 1970, UTC. The time zone is
// required; seconds may have up to nine decimals. Returns nothing for other text.
std::optional<int64_t> parse_iso_time(std::string_view text);

// Prints the shortest text, in UTC, that parse_iso_time() reads as `utc_ns`.
std::string print_iso_time(int64_t utc_ns);

}  // namespace tracebraid
