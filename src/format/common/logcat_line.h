// A line of logcat, taken apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tracebraid::android_logcat {

struct Line {
  int64_t ns = 0;  // wall-clock time; in 1972 if the year is missing
  bool has_year = false;
  bool is_utc = false;        // it named its zone, which is taken off
  bool is_monotonic = false;  // seconds since the machine started: ns of MONOTONIC
  int64_t ahead_ns = 0;       // of UTC, in that zone
  int64_t pid = 0, tid = 0;
  int64_t uid = -1;      // -1: not said
  int64_t priority = 0;  // 2 verbose ... 8 silent
  std::string_view tag, message;
};

// The layouts threadtime (with uid, year, zone, epoch, monotonic, finer times or without) and time,
// and those of Android Studio. Nothing if it is none of them.
std::optional<Line> parse_line(std::string_view text);

// "[ 11-14 22:13:20.123  1000: 1001 I/Tag ]" of the layout long: all but the message, which is in
// the lines behind it, up to an empty one.
std::optional<Line> parse_long_head(std::string_view text);

// Without the colours that option color puts around it.
std::string_view without_colours(std::string_view text);

// A line of the layouts brief ("I/Tag( 100): message"), process, thread and tag: they have no time.
bool is_timeless(std::string_view text);

// "--------- beginning of main"
bool is_divider(std::string_view text);

}  // namespace tracebraid::android_logcat
