// Column scans: reads the rows of statements that are a projection of one stored table column by
// column, instead of one by one through SQLite.
//
// SQLite compiles the statement as usual. If its program (EXPLAIN shows it) only returns columns of
// the rows of one scan, with an offset and a limit, and compares them with bound texts as the scan
// did before, the scan runs here: the same plan with the same operands, and therefore the same rows
// in the same order. Results may also be integers that a function makes of a column and constants.
// A statement with any other instruction runs in SQLite.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/compile/connection_state.h"
#include "query/functions/sql_function.h"
#include "query/scan/scan.h"
#include "query/scan/scan_capture.h"

namespace tracebraid {

// A function of a column, which is its first argument, and of constants.
struct StoredCall {
  const SqlFunction* function = nullptr;  // null: the value of the column itself
  std::vector<Cell> constants;            // texts are those of ColumnScan::texts
};

struct ColumnScan {
  ScanCapture captured;
  std::vector<const ColumnView*> columns;  // of the result
  std::vector<StoredCall> calls;           // by position in the result; empty: none has a function
  std::deque<std::string> texts;
  uint64_t offset = 0;  // rows still to be skipped
  uint64_t limit = 0;   // rows still to be returned
  Scan scan;

  ColumnScan() = default;
  ColumnScan(const ColumnScan&) = delete;
  ColumnScan& operator=(const ColumnScan&) = delete;
  ~ColumnScan() {
    if (stats != nullptr && captured.table != nullptr)
      add_counts(*stats, *captured.table, text_of(captured.plan), scan.counts(), time);
  }
  QueryStats* stats = nullptr;  // where the destructor adds the counts; may be null
  std::chrono::nanoseconds time{0};
};

enum class ScanCalls : uint8_t { None, Integers };

// Returns the scan of `compiled`, the statement `sql`, whose variables are bound to `values`.
// Returns null if its rows must come from SQLite, and an Error if it was stopped. `calls`: whether
// results may be calls of functions with SqlFunction::gives_integers.
Result<std::unique_ptr<ColumnScan>> column_scan(ConnectionState& connection, sqlite3_stmt* compiled,
                                                std::string_view sql, std::span<const Cell> values,
                                                ScanCalls calls = ScanCalls::None);

}  // namespace tracebraid
