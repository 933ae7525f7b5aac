// TableModule: the SQLite module that presents every TableView as a virtual table.
#pragma once

#include <sqlite3.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/scan/query_stats.h"
#include "query/scan/scan.h"
#include "query/scan/scan_capture.h"
#include "query/scan/table.h"

namespace tracebraid {

inline constexpr std::string_view kTableModule = "__intrinsic_dataframe";

// Called before the rows of a raw table are first read, possibly several times, on any thread.
// Returns false if the rows are damaged; then the statement fails.
using BeforeUse = std::function<bool(std::string_view table)>;

// The tables of one connection.
struct TableModule {
  std::vector<const Table*> raw;
  // Tables that statements created, by number. CREATE VIRTUAL TABLE names the number, so that the
  // rows of a dropped table return when the transaction is rolled back.
  std::map<std::string, std::shared_ptr<const Table>, std::less<>> created;
  // Rows that running statements computed, by the name of a table outside of the schema. Their
  // columns have no declared types, as those of table functions of operators.
  std::map<std::string, std::shared_ptr<const Table>, std::less<>> computed;
  std::set<const void*> vtabs;    // the connected tables, as SQLite's EXPLAIN shows them
  bool may_have_dropped = false;  // whether a created table was disconnected
  // The names of all tables that the schema began with, in lower case.
  std::set<std::string, std::less<>> listed;
  // The current tables of the main schema, by name in lower case: raw tables, created tables and
  // projections. SQLite connects a table when a statement first names it.
  std::map<std::string, const Table*, std::less<>> connected;
  BeforeUse before_use;            // may be empty
  QueryStats* stats = nullptr;     // of the running statement; null: nothing is recorded
  StopCheck* stop = nullptr;       // required; for the running statement
  ScanCapture* capture = nullptr;  // see scan_capture.h
  bool is_only_table = false;      // of the statement that is compiled; see best_index.h
};

// Adds what a scan did to the statistics of the running statement. `filters` is the text of its
// plan.
void add_counts(QueryStats& stats, const Table& table, std::string_view filters,
                const ScanCounts& counts, std::chrono::nanoseconds time);

// Registers the module of the schema's tables, kTableModule. It must outlive the connection.
Result<> add_table_module(sqlite3* db, TableModule& module);

// Registers a table of `computed`, outside of the schema; the second function unregisters it and
// drops its rows. The module must outlive the connection.
Result<> add_computed_table(sqlite3* db, TableModule& module, const std::string& name,
                            std::shared_ptr<const Table> table);
void remove_computed_table(sqlite3* db, TableModule& module, const std::string& name);

// Registers a module with a single raw table, under the name of the table and outside of the
// schema; the second function unregisters it.
Result<> add_hidden_table(sqlite3* db, TableModule& module);
void remove_hidden_table(sqlite3* db, const TableModule& module);

}  // namespace tracebraid
