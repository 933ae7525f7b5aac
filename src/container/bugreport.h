// Android bug reports: ZIPs whose text and logs belong together (spec clocks 11.2).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tracebraid {

// The time in the name of the report's text, bugreport-*YYYY-MM-DD-HH-MM-SS.txt. It gives the year
// of the logs, which have none.
struct BugreportTime {
  int year = 0;
  std::string month_day;  // MM-DD
};
std::optional<BugreportTime> parse_bugreport_name(std::string_view name);

// Returns whether `name` is FS/data/misc/logd/logcat*, except the list of ids.
bool is_bugreport_log(std::string_view name);

// Returns the time of the first line of a log, as text that sorts by time. `head` is the start of
// the log. Returns an empty text if no line there has a time.
std::string bugreport_log_start(std::string_view head, const BugreportTime& report);

}  // namespace tracebraid
