// Database: SQL over finished tables. Every SQL string of the program passes
// through run(): one statement runner.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/string_pool.h"
#include "column/column.h"

namespace tracebraid {

// A SQL function as a value: name, signature, body. `text` of the result is
// copied before `call` is entered again.
struct SqlFunction {
  std::string_view name;  // lower case
  int arity;              // -1: any
  std::string_view about;
  // The cells live during the call. An Error's message becomes the SQL error.
  std::function<Result<Cell>(std::span<const Cell> args)> call;
  std::vector<std::string_view> reads = {};  // raw tables that `call` looks into
};

// Is told a raw table before its rows are first looked at, and perhaps again. False: they are of
// no use, and what was to read them fails.
using BeforeUse = std::function<bool(std::string_view table)>;

// Gets result sets row by row.
class RowSink {
 public:
  virtual ~RowSink() = default;
  // A statement with columns starts (also if no row follows).
  virtual void columns(std::span<const std::string> names) = 0;
  // The cells live until the call returns. False stops the query.
  virtual bool row(std::span<const Cell> cells) = 0;
  virtual void end() {}  // of this result set
};

class Database {
 public:
  // The tables and strings must outlive the database. `prelude` is SQL that
  // makes the public views.
  static Result<Database> open(std::vector<TableView> tables, const StringPool& strings,
                               std::vector<SqlFunction> functions, std::string_view prelude,
                               BeforeUse before_use = {});
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  // Runs all statements of `sql`, separated by ';'. Errors have code Sql and
  // name line and column. The database is read-only for everything but
  // temporary and in-memory tables of the session's own.
  Result<> run(std::string_view sql, RowSink& sink);

  // Stops what run() does, from any thread or a signal handler.
  void interrupt();

  // Statements that group a table of at least so many rows group it column by column
  // (query/compile/pushdown.h); those of smaller ones are left to SQLite.
  static constexpr size_t kLeastRowsToGroup = 20'000;
  void set_least_rows_to_group(size_t rows);

  // Tables and views, also those that statements made, and their columns; for
  // completion and .schema. `sql` is empty for raw tables.
  struct Relation {
    std::string name, sql;
    std::vector<std::string> columns;
  };
  std::vector<Relation> relations();

  // The rows of a table or view that are those of one raw table, all and in their order.
  struct StoredRelation {
    size_t rows = 0;
    std::vector<const ColumnView*> columns;  // null: the view computes it
  };
  // Nothing if it chooses, joins or sorts rows, or is not of the schema.
  std::optional<StoredRelation> stored_relation(std::string_view name);

 private:
  struct State;
  explicit Database(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tracebraid
