// Runs SQL and prints its rows, for `query` and the shell: tables fit the terminal, and a running
// query shows its progress.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/connection.h"
#include "engine/rows.h"

namespace tracebraid {

struct RowDisplay {
  const RowFormat* format = find_row_format("table");
  // Limits of aligned columns on a terminal:
  bool is_wide = false;     // wider than the terminal
  uint64_t most_rows = 40;  // of each result set; 0: all
  // How to print what the limits leave out, for a line after the rows.
  std::string_view all_rows_advice, all_columns_advice;
  bool shows_progress = true;  // on stderr, if it is a terminal
};

struct RowsShown {
  Result<> ran;
  uint64_t rows = 0;  // of all result sets, including those that were not printed
};

// Writes the rows to `out`, which writes to `fd`. Ctrl-C ends the query. Rows before an error are
// written.
RowsShown show_rows(TraceConnection& connection, std::string_view sql, const RowDisplay& display,
                    Output& out, int fd);

}  // namespace tracebraid
