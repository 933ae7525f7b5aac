// Connection: one SQLite handle over a TableSet, which runs SQL.
//
// Any number of connections over one TableSet work concurrently; each is used by one thread at a
// time. Temporary tables and views live as long as their connection.
//
// Input: SQL over a TableSet. Output: batches (BatchSink, Query). Called by engine and export.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/batch/batch_sink.h"
#include "query/compile/query_options.h"
#include "query/compile/table_set.h"
#include "query/relation_info.h"
#include "query/row_sink.h"

namespace tracebraid {

struct ConnectionState;
struct QueryStats;

// A table or view whose rows are all rows of one raw table, in the same order.
struct StoredRelation {
  size_t rows = 0;
  std::vector<const ColumnView*> columns;  // null: the view computes it
};

class Connection {
 public:
  // Compiles the public views, which takes a few milliseconds.
  static Result<Connection> open(std::shared_ptr<const TableSet> tables);
  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) noexcept;
  ~Connection();

  // Returns the tables and views, for completion and .schema.
  std::vector<RelationInfo> relations();
  // Returns the names of functions and table functions that SQLite does not have itself, for
  // completion.
  std::vector<std::string> function_names() const;
  // Returns the keys of the modules that INCLUDE finds, sorted.
  std::vector<std::string> module_keys() const;
  // Returns whether no statement left anything here: a table, view, function, macro or module.
  bool is_as_new() const;
  // Makes a package of modules for this connection. Error Usage: one of its name exists, and it
  // does not replace it.
  Result<> register_package(SqlPackage package);
  // Returns nothing if the relation filters, joins or sorts rows, or is not of the schema.
  std::optional<StoredRelation> stored_relation(std::string_view name);

  // Statements that group a table of at least this many rows group it column by column
  // (query/compile/pushdown.h). SQLite runs statements over smaller tables.
  static constexpr size_t kLeastRowsToGroup = 20'000;
  void set_least_rows_to_group(size_t rows);
  // Statements append what they read to `stats` until the next call, null for none. `stats` must
  // outlive them.
  void set_stats(QueryStats* stats);
  // A sorting statement over a table of at least this many rows gets a second SQLite handle, on
  // which the sort can be stopped (query/compile/sorting_statement.h).
  static constexpr size_t kLeastRowsToSortApart = 50'000;

  // Accessor for files of this folder only.
  ConnectionState& state() { return *state_; }
  std::shared_ptr<ConnectionState> share() { return state_; }

 private:
  explicit Connection(std::shared_ptr<ConnectionState> state);
  std::shared_ptr<ConnectionState> state_;
};

// Runs all statements of `sql`, separated by ';', and passes the batches of their results
// to the sink, with QueryOptions::verbatim. Errors have code Sql and name line and column.
// Statements can change only temporary and in-memory tables of the connection.
Result<> run(Connection& connection, std::string_view sql, BatchSink& sink,
             QueryOptions options = {});
// The same, row by row.
Result<> run(Connection& connection, std::string_view sql, RowSink& sink,
             const QueryOptions& options = {});

// Disables SQLite's memory statistics, which take a lock for each allocation. Affects the whole
// process, and has no effect after SQLite was used: for the main function of a program only. A
// library never calls this.
void stop_counting_sqlite_memory();

}  // namespace tracebraid
