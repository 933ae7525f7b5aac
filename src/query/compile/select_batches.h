// SelectBatches: the rows of a SELECT that runs inside another statement, as batches.
//
// Input: a SELECT over the tables, views and functions of a connection. Output: batches, read from
// stored columns where the SELECT is a projection of one table. Called by statements of the dialect
// and by operators, also while a statement of the connection runs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/batch/record_batch.h"
#include "query/compile/connection_state.h"
#include "query/compile/query_options.h"
#include "query/compile/statement_rows.h"

namespace tracebraid {

class SelectBatches {
 public:
  // Compiles the SELECT. `options`: types, verbatim and stored_as_dictionary apply. An Error has a
  // traceback.
  static Result<std::unique_ptr<SelectBatches>> open(ConnectionState& connection, SqlText select,
                                                     QueryOptions options);
  // The same for a text of the tool, such as "SELECT ts, dur FROM t". The Error is SQLite's
  // message. Columns whose type depends on the rows are of the type of their first rows.
  static Result<std::unique_ptr<SelectBatches>> open(ConnectionState& connection,
                                                     std::string_view select);
  SelectBatches(const SelectBatches&) = delete;
  SelectBatches& operator=(const SelectBatches&) = delete;

  const std::vector<std::string>& names() const { return names_; }
  // Returns the next rows, and nothing after the last one. The statement starts to run with the
  // first call.
  Result<std::optional<RecordBatch>> next();

 private:
  explicit SelectBatches(RunningScript script) : script_(std::move(script)) {}
  Result<> compile();

  RunningScript script_;
  StatementPtr statement_;  // until the first call of next()
  std::vector<std::string> names_;
  std::unique_ptr<StatementRows> rows_;
};

}  // namespace tracebraid
