// Query: the rows of one statement as batches in Arrow's layout, computed on request.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/batch/record_batch.h"
#include "query/compile/connection.h"
#include "query/compile/statement_info.h"

namespace tracebraid {

// Used by one thread at a time. While it exists, its connection can run nothing else.
class Query {
 public:
  Query(Query&&) noexcept;
  Query& operator=(Query&&) noexcept;
  ~Query();

  // Runs the statements up to the next one that returns rows, and begins that one. Returns false
  // if there is none. Drops the rest of the previous result. Requires: a query of query_all(),
  // for which the first call comes before schema() and next().
  Result<bool> next_result();
  // Runs the statements one by one, instead of next_result(): the next one to its end, or if it has
  // columns, begins it. Returns false behind the last one. Requires: a query of query_all().
  Result<bool> next_statement();
  // Returns the statement that next_statement() began.
  StatementInfo statement() const;
  // Skips the first bytes of the text, which still count for lines. Requires: nothing has run.
  void skip(size_t bytes);
  // Returns the columns. If types depend on the rows (library 2.4), runs the query until up to 64
  // MB of rows are buffered. Errors as of next().
  Result<std::shared_ptr<const Schema>> schema();
  // Returns up to 65,536 rows or 16 MB of texts, and nothing after the last row. A result without
  // rows has no batch. Errors: Sql, Cancelled, Timeout, Limit, TypeChanged; an error ends the rows.
  // After the last row, a query of query() runs the remaining statements of the text; a statement
  // that also returns rows is a Usage error.
  Result<std::optional<RecordBatch>> next();

  // Returns whether rows are read column by column and not through SQLite.
  bool is_columnar() const;
  // Returns changes that made rows fit: replaced bytes in texts that are not UTF-8, numbers among
  // texts.
  const std::vector<std::string>& warnings() const;

 private:
  friend Result<Query> query(Connection&, std::string_view, QueryOptions);
  friend Result<Query> query_all(Connection&, std::string_view, QueryOptions);
  struct State;
  explicit Query(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Runs the statements of `sql` up to the first that returns rows, and begins that one. Error Usage:
// no statement returns rows, or another Query of the connection exists.
Result<Query> query(Connection& connection, std::string_view sql, QueryOptions options = {});

// Begins a query over the results of all statements, of which there may be none. next_result() runs
// the first. Errors are those of query().
Result<Query> query_all(Connection& connection, std::string_view sql, QueryOptions options = {});

// Returns the columns of a single statement, without running it. Types that depend on the rows are
// Unknown, but arithmetic of integers is taken to give integers (TypesOf::MostRows). A statement of
// the dialect has no columns.
Result<Schema> describe(Connection& connection, std::string_view sql,
                        const QueryOptions& options = {});

}  // namespace tracebraid
