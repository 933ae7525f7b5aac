#include "cli/output/row_writer.h"

namespace tracebraid {

std::span<const RowFormat> row_formats() {
  static constexpr RowFormat kFormats[] = {
      {"jsonl", "JSON lines: an array of column names, then an array a row", make_jsonl_writer},
  };
  return kFormats;
}

std::vector<std::string_view> row_format_names() {
  std::vector<std::string_view> names;
  for (const RowFormat& format : row_formats()) names.push_back(format.name);
  return names;
}

const RowFormat* find_row_format(std::string_view name) {
  for (const RowFormat& format : row_formats())
    if (format.name == name) return &format;
  return nullptr;
}

}  // namespace tracebraid
