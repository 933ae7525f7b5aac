// Query: the rows of one statement as batches in Arrow's layout, made when they are asked for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/batch/record_batch.h"
#include "query/compile/connection.h"

namespace tracebraid {

// Used by one thread at a time. Its connection runs nothing else while it lives.
class Query {
 public:
  Query(Query&&) noexcept;
  Query& operator=(Query&&) noexcept;
  ~Query();

  // Runs the statements up to the next one that gives rows, and begins that. False: there is none.
  // What is left of the result before is dropped. Of query_all() only, and to be called first.
  Result<bool> next_result();
  // The columns. Where types depend on the rows (library 2.4), this runs the query until 64 MB of
  // them are kept. An Error as of next().
  Result<std::shared_ptr<const Schema>> schema();
  // Up to 65,536 rows or 16 MB of texts, and nothing behind the last row. A result without rows has
  // no batch. Errors: Sql, Cancelled, Timeout, Limit, TypeChanged; after one there are no more
  // rows. Behind the last row of query() the other statements of the text run; one that gives rows
  // as well is Usage.
  Result<std::optional<RecordBatch>> next();

  // Whether rows are read column by column and not through SQLite.
  bool is_columnar() const;
  // What was changed so that rows fit: texts that are not UTF-8, numbers among texts.
  const std::vector<std::string>& warnings() const;

 private:
  friend Result<Query> query(Connection&, std::string_view, QueryOptions);
  friend Result<Query> query_all(Connection&, std::string_view, QueryOptions);
  struct State;
  explicit Query(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Runs the statements of `sql` up to the first that gives rows, and begins that. Usage: none
// does, or another Query of the connection lives.
Result<Query> query(Connection& connection, std::string_view sql, QueryOptions options = {});

// As query(), for the results of all statements, which may be none: next_result() runs the first.
Result<Query> query_all(Connection& connection, std::string_view sql, QueryOptions options = {});

// The columns of a text that is one statement, without running it. Types that depend on the rows
// are Unknown.
Result<Schema> describe(Connection& connection, std::string_view sql,
                        const QueryOptions& options = {});

}  // namespace tracebraid
