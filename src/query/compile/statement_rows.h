// StatementRows: the rows of one running statement, as batches.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "query/batch/column_builder.h"
#include "query/batch/record_batch.h"
#include "query/compile/column_scan.h"
#include "query/compile/computed_rows.h"
#include "query/compile/connection_state.h"
#include "query/compile/pushed_statement.h"
#include "query/compile/query_options.h"
#include "query/compile/script.h"
#include "query/compile/sorting_statement.h"

namespace tracebraid {

// A text that runs on a connection.
struct RunningScript {
  std::shared_ptr<ConnectionState> connection;
  QueryOptions options;
  Script script;
  std::vector<std::string> warnings = {};
};

class StatementRows {
 public:
  // Begins a statement that gives rows, the one that the script compiled last, with `values` for
  // its variables, which are bound. `of` must outlive the rows.
  static Result<std::unique_ptr<StatementRows>> begin(RunningScript& of, StatementPtr statement,
                                                      std::span<const Cell> values);
  ~StatementRows() { of_.connection->tables->statement_bytes() -= counted_bytes_; }
  StatementRows(const StatementRows&) = delete;
  StatementRows& operator=(const StatementRows&) = delete;

  // Types may be Unknown until set_types().
  const std::shared_ptr<const Schema>& schema() const { return schema_; }
  // Keeps rows until the types of all columns follow from them.
  Result<> set_types();
  // Returns the next rows, and nothing behind the last one.
  Result<std::optional<RecordBatch>> next();
  bool is_columnar() const { return columns_ != nullptr; }

 private:
  StatementRows(RunningScript& of, StatementPtr statement)
      : of_(of), statement_(std::move(statement)) {}

  using Clock = std::chrono::nanoseconds;
  std::chrono::nanoseconds* time() { return stats_ == nullptr ? nullptr : &stats_->time; }
  const StopCheck& stop() const { return of_.connection->stop; }
  size_t width() const { return schema_->fields.size(); }
  size_t text_bytes() const;
  std::string_view sql() const;
  Result<> choose_plan(std::span<const Cell> values);
  void choose_types();
  Result<> check_memory();
  Result<bool> step();
  Result<bool> take_row();
  bool is_late();
  bool has_room(std::span<const Cell> cells) const;
  size_t rows_that_fit(Scan::Rows block);
  Result<> add_rows(size_t most);
  Result<> add_stored_rows(size_t most);
  Result<> add_block(Scan::Rows block);
  bool takes_calls();
  bool is_call(size_t column) const {
    return !columns_->calls.empty() && columns_->calls[column].function != nullptr;
  }
  bool add_results(size_t column, Scan::Rows block);
  Result<> add(size_t column, const Cell& cell);
  Result<> end_batch_with(Error error);
  Error misfit(size_t column, std::string_view value) const;
  void warn_of_invalid_texts();

  RunningScript& of_;
  QueryStats::Statement* stats_ = nullptr;  // of the connection; may be null
  std::unique_ptr<ComputedRows> computed_;  // which the following read; may be null
  StatementPtr statement_;
  std::vector<std::string> names_;  // of the columns
  SortingStatement sorting_;
  std::unique_ptr<PushedStatement> pushed_;
  std::unique_ptr<ColumnScan> columns_;
  std::shared_ptr<const Schema> schema_;
  std::vector<ColumnBuilder> builders_;  // made by set_types()
  std::vector<size_t> sizes_;            // of the texts of a block of rows
  std::vector<int64_t> results_;         // of calls of a function
  uint64_t rows_ = 0;                    // given so far
  uint64_t batch_begin_ = 0;             // `rows_` when the batch began
  Clock first_row_at_{};                 // of the batch
  std::optional<Error> failure_;         // of the next call of next()

  // The rows of SQLite.
  std::vector<Cell> cells_;
  bool is_row_waiting_ = false;  // in `cells_`, for the next batch
  bool has_all_ = false;         // of the rows that SQLite gives
  // Rows that were read before the types were known.
  std::vector<Cell> kept_;
  std::deque<std::string> kept_texts_;
  size_t next_kept_ = 0, kept_bytes_ = 0;
  size_t counted_bytes_ = 0;  // of them, in TableSet::statement_bytes()
};

}  // namespace tracebraid
