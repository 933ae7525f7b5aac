// Android bug reports: a ZIP whose text and logs belong together (spec clocks
// 11.2).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tracebraid {

// The time in the name of a report's text, bugreport-*YYYY-MM-DD-HH-MM-SS.txt;
// logs leave out their year, so it tells that.
struct BugreportTime {
  int year = 0;
  std::string month_day;  // MM-DD
};
std::optional<BugreportTime> parse_bugreport_name(std::string_view name);

// FS/data/misc/logd/logcat*, except the list of ids.
bool is_bugreport_log(std::string_view name);

// The time of the first line of a log, as text that sorts by time. `head` is
// the start of the log; empty if no line there has a time.
std::string bugreport_log_start(std::string_view head, const BugreportTime& report);

}  // namespace tracebraid
