// Row writers: result sets as text, one writer a format.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "export/rows/output.h"
#include "query/compile/connection.h"

namespace tracebraid {

// What --format chooses.
struct RowFormat {
  std::string_view name;
  std::string_view about;
  std::unique_ptr<RowSink> (*make)(Output& out);
};

std::span<const RowFormat> row_formats();
std::vector<std::string_view> row_format_names();
// Null if there is none of that name.
const RowFormat* find_row_format(std::string_view name);

// The output outlives the writer. Several result sets are kept apart by an
// empty line. end() may be called twice; after an error it still shows the rows
// that came before it.
std::unique_ptr<RowSink> make_table_writer(Output& out);
std::unique_ptr<RowSink> make_box_writer(Output& out);
std::unique_ptr<RowSink> make_csv_writer(Output& out);
std::unique_ptr<RowSink> make_tsv_writer(Output& out);
std::unique_ptr<RowSink> make_json_writer(Output& out);
std::unique_ptr<RowSink> make_jsonl_writer(Output& out);

}  // namespace tracebraid
