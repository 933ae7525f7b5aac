// Row writers: write result sets as text, one writer per format.
//
// Input: rows of a query. Output: text in one of the formats. Called by `query`, the shell, and the
// exporters of text.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "export/rows/output.h"
#include "query/row_sink.h"

namespace tracebraid {

// The values of --format.
struct RowFormat {
  std::string_view name;
  std::string_view about;
  std::unique_ptr<RowSink> (*make)(Output& out);
};

std::span<const RowFormat> row_formats();
std::vector<std::string_view> row_format_names();
// Returns null for an unknown name.
const RowFormat* find_row_format(std::string_view name);

// Returns a writer; `output` must outlive it. Separates result sets by an empty line. end() may be
// called twice; after an error it writes the rows before it.
std::unique_ptr<RowSink> make_table_writer(Output& out);
std::unique_ptr<RowSink> make_box_writer(Output& out);
std::unique_ptr<RowSink> make_csv_writer(Output& out);
std::unique_ptr<RowSink> make_tsv_writer(Output& out);
std::unique_ptr<RowSink> make_json_writer(Output& out);
std::unique_ptr<RowSink> make_jsonl_writer(Output& out);

}  // namespace tracebraid
