// A line of kernel text, taken apart (spec json 10.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "event/names.h"

namespace tracebraid::ftrace_text {

struct Line {
  std::string_view task;  // without blanks around it
  int64_t tid = 0;
  int64_t tgid = kNoId;  // kNoId: not said
  uint32_t cpu = 0;
  int64_t ns = 0;
  bool is_count = false;   // the time had no point: ticks of a clock of the file
  std::string_view flags;  // empty if there is no such column
  bool touches = false;    // the flags touch the time
  std::string_view name;   // of the event; empty for the function tracer
  std::string_view details;
};

// How many characters wide the flags are when nothing says so.
inline constexpr size_t kUsualFlagWidth = 4;

// `text` has no line end. `flag_width` tells flags from a time that they touch. Nothing if
// this is no line of an event.
std::optional<Line> parse_line(std::string_view text, size_t flag_width);

// A decimal number and nothing else; nothing if it does not fit.
std::optional<int64_t> parse_decimal(std::string_view text);
// Likewise, with a point and up to nine digits behind it, in billionths.
std::optional<int64_t> parse_billionths(std::string_view text);

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace tracebraid::ftrace_text
