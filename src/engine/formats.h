// What formats of traces can be read, and the pages of the manual that are made from what the
// engine knows of itself.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tracebraid {

struct FormatInfo {
  std::string_view name;     // "perf": `trace_type` in tables
  std::string_view title;    // for people
  std::string_view about;    // what is read, a paragraph
  std::string_view times;    // which clock its times are in
  std::string_view anchors;  // what in it relates that clock to others; empty: nothing
  std::string_view tables;   // that it fills; empty: it is recognised, but not read
};
std::span<const FormatInfo> format_infos();

// docs/sql-tables.md and docs/formats.md.
std::string tables_page();
std::string formats_page();

}  // namespace tracebraid
