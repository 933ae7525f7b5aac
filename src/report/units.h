// Numbers with units, for display.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tracebraid {

std::string count_text(int64_t count);                      // 1,204,331
std::string counted(int64_t count, std::string_view noun);  // 1 event, 2 events
std::string bytes_text(uint64_t bytes);                     // 412 B, 1.5 MB, of 1000
std::string span_text(int64_t ns);      // 250 ms, 147.757 s, 3h12m04.2s, 12d03h05m; minus before
std::string offset_text(int64_t ns);    // as span_text(), with a plus sign for positive values
std::string utc_text(int64_t unix_ns);  // 2026-11-20 12:03:04.113 UTC

}  // namespace tracebraid
