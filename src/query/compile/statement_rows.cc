#include "query/compile/statement_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>

#include "query/compile/derived_values.h"
#include "query/compile/expression_type.h"
#include "query/compile/result_types.h"
#include "query/compile/seen_types.h"
#include "query/scan/column_values.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

constexpr size_t kMostKeptBytes = size_t{64} << 20;  // of rows whose types are not known
constexpr size_t kBlockRowsOfTexts = 1024;           // whose texts are measured at once

std::string_view name_of(Cell::Kind kind) {
  switch (kind) {
    case Cell::Kind::Null:
      return "NULL";
    case Cell::Kind::Int:
      return "INTEGER";
    case Cell::Kind::Real:
      return "REAL";
    case Cell::Kind::Text:
      return "TEXT";
    case Cell::Kind::Blob:
      break;
  }
  return "BLOB";
}

std::string_view name_of(DataType type) {
  constexpr std::string_view kNames[] = {"unknown", "null",       "int64",  "float64",
                                         "utf8",    "dictionary", "binary", "variant"};
  return kNames[static_cast<size_t>(type)];
}

// The type that takes all values of a stored column unchanged.
DataType verbatim_type(const ColumnView& column, const QueryOptions& options) {
  const bool is_typed = column.type != CellType::Computed || column.read != nullptr;
  const DataType text = options.stored_as_dictionary ? DataType::Dictionary : DataType::Utf8;
  return is_typed ? data_type(column.sql_type, text) : DataType::Variant;
}

// Precise to a few milliseconds, and cheap enough for every row.
std::chrono::nanoseconds coarse_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

Result<std::unique_ptr<StatementRows>> StatementRows::begin(RunningScript& of,
                                                            StatementPtr statement,
                                                            std::span<const Cell> values) {
  std::unique_ptr<StatementRows> rows(new StatementRows(of, std::move(statement)));
  if (QueryStats* const stats = of.connection->module.stats) {
    rows->stats_ = &stats->statements.emplace_back();
    rows->stats_->sql = of.script.statement();
  }
  const TimeOf time(rows->time());
  TB_TRY(rows->choose_plan(values));
  rows->choose_types();
  return rows;
}

Result<> StatementRows::choose_plan(std::span<const Cell> values) {
  ConnectionState& connection = *of_.connection;
  names_ = column_names(statement_.get());
  TB_TRY_ASSIGN(computed_, computed_rows(connection, statement_.get(), sql(), values));
  if (computed_ != nullptr) statement_ = std::move(computed_->statement);
  const std::string_view sql = this->sql();
  TB_TRY_ASSIGN(columns_,
                column_scan(connection, statement_.get(), sql, values, ScanCalls::Integers));
  if (columns_ != nullptr && takes_calls()) return {};
  TB_TRY_ASSIGN(pushed_, pushed_statement(connection, statement_.get(), sql, values));
  if (pushed_ == nullptr) sorting_ = sorting_statement(connection, statement_.get(), sql, values);
  return {};
}

// Whether the results of functions are integers for the caller, too. If not, SQLite gives the rows.
bool StatementRows::takes_calls() {
  const std::vector<StoredCall>& calls = columns_->calls;
  if (calls.empty()) return true;
  std::vector<Field> fields =
      result_fields(*of_.connection, statement_.get(), sql(), names_, of_.options.text_type());
  set_declared_types(of_.options.types, fields);
  for (size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].function == nullptr || fields[i].type == DataType::Int64) continue;
    columns_->stats = nullptr;
    columns_ = nullptr;
    return false;
  }
  return true;
}

// The text of `statement_`.
std::string_view StatementRows::sql() const {
  return computed_ == nullptr ? of_.script.statement() : std::string_view(computed_->sql);
}

void StatementRows::choose_types() {
  const QueryOptions& options = of_.options;
  const DataType text = options.text_type();
  Schema schema;
  if (columns_ != nullptr) {
    const bool has_calls = !columns_->calls.empty();
    std::vector<Field> known;
    if (has_calls) known = result_fields(*of_.connection, statement_.get(), sql(), names_, text);
    for (const ColumnView* column : columns_->columns) {
      const size_t at = schema.fields.size();
      if (has_calls && columns_->calls[at].function != nullptr) {
        schema.fields.push_back(std::move(known[at]));
        continue;
      }
      Field field{names_[at], options.verbatim ? verbatim_type(*column, options)
                                               : data_type(column->sql_type, text)};
      describe_column(*of_.connection, *columns_->captured.table, *column, field);
      schema.fields.push_back(std::move(field));
    }
  } else {
    const TypesOf types = options.verbatim          ? TypesOf::StoredColumns
                          : options.described_types ? TypesOf::MostRows
                                                    : TypesOf::AllRows;
    schema.fields = result_fields(*of_.connection, statement_.get(), sql(), names_, text, types);
    if (options.verbatim)
      for (Field& field : schema.fields) field.type = DataType::Variant;
  }
  set_declared_types(options.types, schema.fields);
  schema_ = std::make_shared<const Schema>(std::move(schema));
  cells_.resize(names_.size());
}

// False: there are no more rows.
Result<bool> StatementRows::step() {
  if (stop().requested()) return tl::unexpected(stop().error());
  sqlite3_stmt* const running = sorting_.statement != nullptr ? sorting_.statement.get()
                                : pushed_ != nullptr          ? pushed_->statement.get()
                                                              : statement_.get();
  const int rc = sqlite3_step(running);
  if (rc == SQLITE_DONE) {
    has_all_ = true;
    return false;
  }
  if (rc != SQLITE_ROW)
    return tl::unexpected(
        of_.script.failure(sorting_.statement == nullptr ? *of_.connection : *sorting_.connection));
  for (size_t i = 0; i < cells_.size(); ++i)
    cells_[i] = cell_of(sqlite3_column_value(running, static_cast<int>(i)));
  return true;
}

Result<> StatementRows::check_memory() {
  const size_t most = of_.options.most_bytes;
  if (most == 0) return {};
  size_t bytes = kept_bytes_;
  for (const ColumnBuilder& builder : builders_) bytes += builder.memory();
  if (bytes <= most) return {};
  return fail(ErrorCode::Limit,
              fmt::format("the query takes more than its limit of {} bytes", most));
}

Result<> StatementRows::set_types() {
  if (!builders_.empty()) return {};
  const QueryOptions& options = of_.options;
  std::vector<Field> fields = schema_->fields;
  std::vector<SeenTypes> seen(fields.size());
  const auto is_unknown = [](const Field& field) { return field.type == DataType::Unknown; };
  while (std::ranges::any_of(fields, is_unknown) && !has_all_ && kept_bytes_ < kMostKeptBytes) {
    TB_TRY_ASSIGN(const bool has_row, step());
    for (size_t i = 0; has_row && i < fields.size(); ++i) {
      Cell& cell = kept_.emplace_back(cells_[i]);
      seen[i].add(cell.kind);
      cell.text = kept_texts_.emplace_back(cell.text);
      kept_bytes_ += sizeof cell + cell.text.size();
    }
    TB_TRY(check_memory());
  }
  counted_bytes_ = kept_bytes_;
  of_.connection->tables->statement_bytes() += counted_bytes_;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!is_unknown(fields[i])) continue;
    fields[i].type = seen[i].type(options.text_type());
    if (fields[i].type == DataType::Null && !has_all_) fields[i].type = DataType::Int64;
    if (seen[i].is_mixed())
      of_.warnings.push_back(
          fmt::format("column {}: numbers among texts became texts", fields[i].name));
  }
  const size_t most_text_bytes = std::min(options.most_text_bytes, kMostTextBytes);
  for (const Field& field : fields)
    builders_.emplace_back(field.type, most_text_bytes, options.verbatim);
  schema_ = std::make_shared<const Schema>(Schema{std::move(fields)});
  return {};
}

// The error of a value that its column does not take. `value` says which: ", row 3: TEXT".
Error StatementRows::misfit(size_t column, std::string_view value) const {
  const std::string& name = schema_->fields[column].name;
  const DataType type = schema_->fields[column].type;
  if (!builders_[column].is_out_of_room())
    return {ErrorCode::TypeChanged,
            fmt::format("column {}{} does not fit {}; CAST it, or give types=", name, value,
                        name_of(type))};
  const size_t most = std::min(of_.options.most_text_bytes, kMostTextBytes);
  if (type != DataType::Dictionary)
    return {ErrorCode::Limit,
            fmt::format("column {}{} takes more than {} bytes", name, value, most)};
  return {ErrorCode::Limit,
          fmt::format("column {}{} does not fit a dictionary of {} bytes; give it type utf8", name,
                      value, most)};
}

Result<> StatementRows::add(size_t column, const Cell& cell) {
  if (builders_[column].add(cell)) return {};
  return tl::unexpected(misfit(column, fmt::format(", row {}: {}", rows_ + 1, name_of(cell.kind))));
}

// Hands out the rows before an error, where the caller shows rows as they come.
Result<> StatementRows::end_batch_with(Error error) {
  if (!of_.options.verbatim || rows_ == batch_begin_) return tl::unexpected(std::move(error));
  failure_ = std::move(error);
  return {};
}

// Whether the rows of the batch have waited long enough.
bool StatementRows::is_late() {
  if (of_.options.batch_time.count() == 0) return false;
  if (rows_ == batch_begin_) return false;
  return coarse_now() - first_row_at_ >= of_.options.batch_time;
}

bool StatementRows::has_room(std::span<const Cell> cells) const {
  for (size_t i = 0; i < cells.size(); ++i)
    if (!builders_[i].has_room(cells[i])) return false;
  return true;
}

// Sets `cells_`. False: there are no more rows.
Result<bool> StatementRows::take_row() {
  if (is_row_waiting_) return true;
  if (next_kept_ < kept_.size()) {
    std::copy_n(kept_.begin() + static_cast<ptrdiff_t>(next_kept_), width(), cells_.begin());
    next_kept_ += width();
  } else {
    if (has_all_) return false;
    TB_TRY_ASSIGN(const bool has_row, step());
    if (!has_row) return false;
  }
  is_row_waiting_ = true;
  return true;
}

Result<> StatementRows::add_rows(size_t most) {
  size_t text_bytes = 0, most_bytes = 0;
  while (rows_ - batch_begin_ < most && text_bytes < kMostBatchTextBytes && !is_late()) {
    const Result<bool> has_row = take_row();
    if (!has_row) return end_batch_with(has_row.error());
    if (!*has_row) return {};
    for (const Cell& cell : cells_) {
      text_bytes += cell.text.size();
      most_bytes += ColumnBuilder::most_bytes_of(cell);
    }
    if (rows_ == batch_begin_)
      first_row_at_ = of_.options.batch_time.count() == 0 ? Clock{} : coarse_now();
    else if (most_bytes > of_.options.most_text_bytes && !has_room(cells_))
      return {};
    is_row_waiting_ = false;
    for (size_t i = 0; i < cells_.size(); ++i) TB_TRY(add(i, cells_[i]));
    ++rows_;
  }
  return {};
}

size_t StatementRows::text_bytes() const {
  size_t bytes = 0;
  for (const ColumnBuilder& builder : builders_)
    if (builder.holds_texts()) bytes += builder.text_bytes();
  return bytes;
}

// How many of the rows go into the batch, of at most kBlockRowsOfTexts. Zero: they are for the next
// one.
size_t StatementRows::rows_that_fit(Scan::Rows block) {
  const StringPool& strings = columns_->captured.table->strings();
  block.count = std::min(block.count, kBlockRowsOfTexts);
  sizes_.assign(block.count, 0);
  size_t most_bytes = 0;
  for (size_t i = 0; i < width(); ++i) {
    if (is_call(i)) continue;
    most_bytes = std::max(most_bytes, builders_[i].text_bytes() +
                                          ColumnBuilder::kMostBytesOfByte *
                                              builders_[i].add_text_sizes(*columns_->columns[i],
                                                                          strings, block, sizes_));
  }
  size_t bytes = text_bytes();
  for (size_t i = 0; i < block.count; ++i)
    if ((bytes += sizes_[i]) >= kMostBatchTextBytes) block.count = i + 1;
  if (most_bytes <= of_.options.most_text_bytes) return block.count;
  for (size_t i = 0; i < width(); ++i)
    if (!is_call(i))
      block.count = builders_[i].rows_with_room(*columns_->columns[i], strings, block);
  return rows_ == batch_begin_ ? std::max<size_t>(block.count, 1) : block.count;
}

// Adds the results of the function of a column.
bool StatementRows::add_results(size_t column, Scan::Rows block) {
  constexpr size_t kRowsAtOnce = 1024;
  const ColumnView& argument = *columns_->columns[column];
  const StoredCall& call = columns_->calls[column];
  std::array<bool, kRowsAtOnce> are_valid;
  for (size_t at = 0; at < block.count; at += kRowsAtOnce) {
    const Scan::Rows rows{block.list == nullptr ? nullptr : block.list + at,
                          block.first + static_cast<uint32_t>(at),
                          std::min(kRowsAtOnce, block.count - at)};
    const std::span valid(are_valid.data(), rows.count);
    if (!call_for_rows(*call.function, argument, call.constants, rows, results_, valid))
      return false;
    builders_[column].add_integers(results_, valid);
  }
  return true;
}

// Adds rows at the start of the scan's block, and moves the scan behind them.
Result<> StatementRows::add_block(Scan::Rows block) {
  ColumnScan& from = *columns_;
  const StringPool& strings = from.captured.table->strings();
  for (size_t i = 0; i < width(); ++i)
    if (is_call(i) ? !add_results(i, block)
                   : !builders_[i].add_rows(*from.columns[i], strings, block))
      return tl::unexpected(misfit(i, fmt::format(": a value behind row {}", rows_)));
  if (rows_ == batch_begin_)
    first_row_at_ = of_.options.batch_time.count() == 0 ? Clock{} : coarse_now();
  from.limit -= block.count;
  rows_ += block.count;
  if (block.count != from.scan.rows().count)
    from.scan.skip_in_block(block.count);
  else if (!from.scan.skip_rows())
    return end_batch_with(stop().error());
  return {};
}

Result<> StatementRows::add_stored_rows(size_t most) {
  ColumnScan& from = *columns_;
  const bool has_texts = std::ranges::any_of(builders_, &ColumnBuilder::holds_texts);
  while (rows_ - batch_begin_ < most && from.limit != 0 && !from.scan.at_end() && !failure_ &&
         text_bytes() < kMostBatchTextBytes && !is_late()) {
    Scan::Rows block = from.scan.rows();
    if (from.offset >= block.count) {
      from.offset -= block.count;
      if (!from.scan.skip_rows()) return end_batch_with(stop().error());
      continue;
    }
    from.scan.skip_in_block(static_cast<size_t>(from.offset));
    from.offset = 0;
    block = from.scan.rows();
    block.count = std::min({block.count, static_cast<size_t>(most - (rows_ - batch_begin_)),
                            static_cast<size_t>(from.limit)});
    if (has_texts) block.count = rows_that_fit(block);
    if (block.count == 0) return {};
    TB_TRY(add_block(block));
  }
  return {};
}

void StatementRows::warn_of_invalid_texts() {
  for (size_t i = 0; i < builders_.size(); ++i)
    if (builders_[i].invalid_texts() != 0)
      of_.warnings.push_back(fmt::format("column {}: {} texts that are not UTF-8 have U+FFFD",
                                         schema_->fields[i].name, builders_[i].invalid_texts()));
}

Result<std::optional<RecordBatch>> StatementRows::next() {
  const TimeOf time(this->time());
  if (failure_) return tl::unexpected(*failure_);
  if (stop().stopped()) return tl::unexpected(stop().error());
  TB_TRY(set_types());
  const QueryOptions& options = of_.options;
  batch_begin_ = rows_;
  const size_t most = std::clamp<size_t>(options.batch_rows, 1, kMostBatchRows);
  if (columns_ != nullptr)
    TB_TRY(add_stored_rows(most));
  else
    TB_TRY(add_rows(most));
  TB_TRY(check_memory());
  if (options.most_rows != 0 && rows_ > options.most_rows)
    return fail(ErrorCode::Limit,
                fmt::format("the query gives more than its limit of {} rows", options.most_rows));
  if (stats_ != nullptr) stats_->rows = rows_;
  RecordBatch batch{schema_, static_cast<size_t>(rows_ - batch_begin_), {}};
  if (batch.rows == 0) {
    warn_of_invalid_texts();
    return std::nullopt;
  }
  for (ColumnBuilder& builder : builders_) batch.columns.push_back(builder.finish());
  return batch;
}

}  // namespace tracebraid
