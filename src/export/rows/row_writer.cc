#include "export/rows/row_writer.h"

namespace tracebraid {

std::span<const RowFormat> row_formats() {
  static constexpr RowFormat kFormats[] = {
      {"table", "aligned columns", make_table_writer, true},
      {"box", "aligned columns in a frame", make_box_writer, true},
      {"csv", "RFC 4180; NULL is an empty field, the empty text is \"\"", make_csv_writer},
      {"tsv", "separated by tabs; \\t, \\n, \\r, \\\\ in texts, \\N for NULL", make_tsv_writer},
      {"json", "an array of objects for each result set", make_json_writer},
      {"ndjson", "an object on a line for each row, as DuckDB, jq and pandas read",
       make_ndjson_writer},
      {"jsonl", "JSON lines: an array of column names, then one array for each row",
       make_jsonl_writer},
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
