// JSON text that several writers produce.
#pragma once

#include <fmt/compile.h>
#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>

namespace tracebraid::generate {

// Appends formatted text. `pattern` is compiled: FMT_COMPILE("...").
template <class Pattern, class... Args>
void append(std::string& out, const Pattern& pattern, const Args&... args) {
  fmt::format_to(std::back_inserter(out), pattern, args...);
}

// Appends ns as microseconds with three decimals.
inline void append_us(std::string& out, int64_t ns) {
  append(out, FMT_COMPILE("{}.{:03}"), ns / 1000, ns % 1000);
}

// Appends a JSON string. Requires: `text` has no control characters.
inline void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

}  // namespace tracebraid::generate
