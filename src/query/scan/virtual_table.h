// The SQLite module through which every TableView is a table.
#pragma once

#include <sqlite3.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/scan/scan_capture.h"
#include "query/scan/table.h"

namespace tracebraid {

inline constexpr std::string_view kTableModule = "__intrinsic_dataframe";

// Is told a raw table before its rows are first looked at, and perhaps again, on any thread. False:
// they are of no use, and what was to read them fails.
using BeforeUse = std::function<bool(std::string_view table)>;

// The tables of one connection.
struct TableModule {
  std::vector<const Table*> raw;
  // Those that are tables of the main schema now, by name: raw ones and projections.
  std::map<std::string, const Table*, std::less<>> connected;
  BeforeUse before_use;             // may be empty
  const StopCheck* stop = nullptr;  // of what the connection runs
  ScanCapture* capture = nullptr;   // see there
};

// Registers the module and makes a virtual table of each of its raw tables, under its
// own name. It must outlive the connection.
Result<> add_tables(sqlite3* db, TableModule& module);

// Registers a module that is its only raw table under that table's name, with nothing of it in
// the schema; takes it away again.
Result<> add_hidden_table(sqlite3* db, TableModule& module);
void remove_hidden_table(sqlite3* db, const TableModule& module);

}  // namespace tracebraid
