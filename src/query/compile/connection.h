// Connection: one SQLite handle over a TableSet, by which SQL is run.
//
// Any number of connections over one TableSet work at once on different threads. One connection
// is used by one thread at a time. Temporary tables and views that statements make live as long
// as their connection.
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

// The rows of a table or view that are those of one raw table, all and in their order.
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

  // For completion and .schema.
  std::vector<RelationInfo> relations();
  // Names of functions and table functions that SQLite does not have itself. For completion.
  std::vector<std::string> function_names() const;
  // Nothing if the relation chooses, joins or sorts rows, or is not of the schema.
  std::optional<StoredRelation> stored_relation(std::string_view name);

  // Statements that group a table of at least so many rows group it column by column
  // (query/compile/pushdown.h); those of smaller ones are left to SQLite.
  static constexpr size_t kLeastRowsToGroup = 20'000;
  void set_least_rows_to_group(size_t rows);
  // With a table of so many rows a statement that sorts gets a handle of SQLite's of its own, on
  // which the sort can be stopped (query/compile/sorting_statement.h).
  static constexpr size_t kLeastRowsToSortApart = 50'000;

  // For this folder.
  ConnectionState& state() { return *state_; }
  std::shared_ptr<ConnectionState> share() { return state_; }

 private:
  explicit Connection(std::shared_ptr<ConnectionState> state);
  std::shared_ptr<ConnectionState> state_;
};

// Runs all statements of `sql`, separated by ';', and hands the batches of their results to the
// sink, with QueryOptions::verbatim. Errors have code Sql and name line and column. Everything is
// read-only but temporary and in-memory tables of the connection's own.
Result<> run(Connection& connection, std::string_view sql, BatchSink& sink,
             QueryOptions options = {});
// The same, row by row.
Result<> run(Connection& connection, std::string_view sql, RowSink& sink,
             const QueryOptions& options = {});

// Switches SQLite's counting of its memory off, which takes a lock for each allocation. Of the
// whole process, and without effect once SQLite was used: for the main function of a program,
// which alone may change its process. A library never calls this.
void stop_counting_sqlite_memory();

}  // namespace tracebraid
