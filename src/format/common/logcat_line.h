// Parses lines of logcat.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tracebraid::android_logcat {

struct Line {
  int64_t ns = 0;  // wall-clock time; in 1972 if the year is missing
  bool has_year = false;
  bool is_utc = false;        // whether the line has a time zone; `ns` is then UTC
  bool is_monotonic = false;  // seconds since the machine started: ns of MONOTONIC
  int64_t ahead_ns = 0;       // how far the time zone is ahead of UTC
  int64_t pid = 0, tid = 0;
  int64_t uid = -1;      // -1: not given
  int64_t priority = 0;  // 2 verbose ... 8 silent
  std::string_view tag, message;
};

// Parses a line of the layouts threadtime (with or without uid, year, zone, epoch, monotonic, finer
// times) and time, and those of Android Studio. Returns nothing for other lines.
std::optional<Line> parse_line(std::string_view text);

// Parses "[ 11-14 22:13:20.123  1000: 1001 I/Tag ]" of the layout long: everything except the
// message, which is in the following lines, up to an empty one.
std::optional<Line> parse_long_head(std::string_view text);

// Returns the line without the colours of option color.
std::string_view without_colours(std::string_view text);

// Returns whether a line has a layout without times: brief ("I/Tag( 100): message"), process,
// thread or tag.
bool is_timeless(std::string_view text);

// Matches "--------- beginning of main".
bool is_divider(std::string_view text);

}  // namespace tracebraid::android_logcat
