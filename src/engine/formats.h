// The trace formats that can be read, and the generated pages of docs/.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tracebraid {

struct FormatInfo {
  std::string_view name;     // "perf": `trace_type` in tables
  std::string_view title;    // for display
  std::string_view about;    // description, a paragraph
  std::string_view times;    // the clock of its times
  std::string_view anchors;  // what relates that clock to others; may be empty
  std::string_view tables;   // tables that it fills; empty: recognised, but not imported
};
std::span<const FormatInfo> format_infos();

// Return docs/sql-tables.md, docs/sql-modules.md, docs/stats.md and docs/formats.md.
std::string tables_page();
std::string modules_page();
std::string stats_page();
std::string formats_page();

}  // namespace tracebraid
