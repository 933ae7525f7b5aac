// Row writers: write result sets as text, one writer per format.
//
// Input: batches of a query with QueryOptions::verbatim. Output: text in one of the formats. Called
// by `query`, the shell, and the exporters of text.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "export/rows/output.h"
#include "query/batch/batch_sink.h"

namespace tracebraid {

// Limits of aligned columns; other formats ignore them.
struct RowLayout {
  size_t width = 0;                          // columns of the terminal; 0: no limit
  std::string_view all_columns_advice = {};  // how to print columns that do not fit
};

// The values of --format.
struct RowFormat {
  std::string_view name;
  std::string_view about;
  std::unique_ptr<BatchSink> (*make)(Output& out, const RowLayout& layout);
  bool is_for_display = false;  // aligned columns
};

std::span<const RowFormat> row_formats();
std::vector<std::string_view> row_format_names();
// Returns null for an unknown name.
const RowFormat* find_row_format(std::string_view name);

// Returns a writer; `out` must outlive it. Separates result sets by an empty line. Writes each
// batch when it comes, except that aligned columns are measured first. end() may be called twice;
// after an error it writes the rows before it. Aligned columns that are wider than the layout are
// cut, with an ellipsis; a line tells how many columns are left out if even the narrowest do not
// fit.
std::unique_ptr<BatchSink> make_table_writer(Output& out, const RowLayout& layout = {});
std::unique_ptr<BatchSink> make_box_writer(Output& out, const RowLayout& layout = {});
std::unique_ptr<BatchSink> make_csv_writer(Output& out, const RowLayout& layout = {});
std::unique_ptr<BatchSink> make_tsv_writer(Output& out, const RowLayout& layout = {});
std::unique_ptr<BatchSink> make_json_writer(Output& out, const RowLayout& layout = {});
std::unique_ptr<BatchSink> make_ndjson_writer(Output& out, const RowLayout& layout = {});
std::unique_ptr<BatchSink> make_jsonl_writer(Output& out, const RowLayout& layout = {});

}  // namespace tracebraid
