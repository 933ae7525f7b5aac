// Statements that are a projection of one stored table: their rows are read column by column, and
// not one by one through SQLite.
//
// SQLite compiles the statement as it does any other. Where its program (EXPLAIN shows it) does
// nothing but hand out columns of the rows that one scan gives, with an offset and a limit, and
// compare them with bound texts as the scan did before, the scan is taken from it: the same plan
// with the same operands, so the same rows in the same order. Any other instruction leaves the
// statement to SQLite.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/compile/connection_state.h"
#include "query/scan/scan.h"
#include "query/scan/scan_capture.h"

namespace tracebraid {

struct ColumnScan {
  ScanCapture captured;
  std::vector<const ColumnView*> columns;  // of the result
  uint64_t offset = 0;                     // rows still to be passed over
  uint64_t limit = 0;                      // rows still to be given
  Scan scan;
};

// `compiled` is the statement `sql`; its variables have `values` and are bound. Null: its rows
// come from SQLite. An Error: it was stopped.
Result<std::unique_ptr<ColumnScan>> column_scan(ConnectionState& connection, sqlite3_stmt* compiled,
                                                std::string_view sql, std::span<const Cell> values);

}  // namespace tracebraid
