#include "query/compile/query.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "query/batch/column_builder.h"
#include "query/compile/column_scan.h"
#include "query/compile/connection_state.h"
#include "query/compile/position.h"
#include "query/compile/pushed_statement.h"
#include "query/compile/result_types.h"
#include "query/compile/script.h"
#include "query/compile/sorting_statement.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

constexpr size_t kMostKeptBytes = size_t{64} << 20;  // of rows whose types are not known

DataType text_type(const QueryOptions& options) {
  return options.plain_text ? DataType::Utf8 : DataType::Dictionary;
}

// What a column was seen to hold.
struct Seen {
  bool integers = false, reals = false, texts = false, blobs = false;

  void add(Cell::Kind kind) {
    integers |= kind == Cell::Kind::Int;
    reals |= kind == Cell::Kind::Real;
    texts |= kind == Cell::Kind::Text;
    blobs |= kind == Cell::Kind::Blob;
  }
  DataType type(DataType text, bool all_rows) const {
    if (blobs) return DataType::Binary;
    if (texts) return integers || reals ? DataType::Utf8 : text;
    if (reals) return DataType::Float64;
    return integers || !all_rows ? DataType::Int64 : DataType::Null;
  }
};

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
  constexpr std::string_view kNames[] = {"unknown", "null",       "int64", "float64",
                                         "utf8",    "dictionary", "binary"};
  return kNames[static_cast<size_t>(type)];
}

void set_declared_types(const QueryOptions& options, std::vector<Field>& fields) {
  for (const Field& declared : options.types)
    for (Field& field : fields)
      if (field.name == declared.name) field.type = declared.type;
}

}  // namespace

struct Query::State {
  std::shared_ptr<ConnectionState> connection;
  QueryOptions options;
  Script script;
  StatementPtr statement = nullptr;
  std::unique_ptr<PushedStatement> pushed = nullptr;
  SortingStatement sorting = {};
  std::unique_ptr<ColumnScan> columns = nullptr;
  std::shared_ptr<const Schema> schema = nullptr;  // Unknown types are set by set_types()
  std::vector<ColumnBuilder> builders = {};
  std::vector<std::string> warnings = {};
  bool is_typed = false, is_done = false;
  bool has_all = false;         // of the rows that SQLite gives
  bool is_row_waiting = false;  // SQLite gave one that begins the next batch
  uint64_t rows = 0;            // given so far

  // Rows that were read before the types were known.
  std::vector<Cell> kept = {};
  std::deque<std::string> kept_texts = {};
  size_t next_kept = 0, kept_bytes = 0;

  State(std::shared_ptr<ConnectionState> of, QueryOptions with, Script of_text)
      : connection(std::move(of)), options(std::move(with)), script(std::move(of_text)) {}
  ~State() {
    columns.reset();
    pushed.reset();
    sorting = {};
    statement.reset();
    connection->is_busy = false;
  }

  Result<bool> begin_next();
  Result<> begin();
  Result<> set_types();
  Result<> check_memory();
  Result<> add_stored_rows(size_t most);
  Result<> add_rows(size_t most);
  Result<bool> step();
  Result<> add(size_t column, const Cell& cell);
  Error misfit(size_t column, std::string_view value) const;
  Result<> run_rest();
  Result<std::optional<RecordBatch>> next_batch();
  sqlite3_stmt* running() const {
    if (sorting.statement != nullptr) return sorting.statement.get();
    return pushed ? pushed->statement.get() : statement.get();
  }
  size_t width() const { return schema->fields.size(); }
  bool has_room(std::span<const Cell> cells) const {
    for (size_t i = 0; i < cells.size(); ++i)
      if (!builders[i].has_room(cells[i])) return false;
    return true;
  }
  bool is_full() const {
    return std::ranges::any_of(builders, [](const ColumnBuilder& builder) {
      return builder.text_bytes() >= kMostBatchTextBytes;
    });
  }
};

// Compiles the next statement, and runs it if it gives no rows. True: it does.
Result<bool> Query::State::begin_next() {
  TB_TRY_ASSIGN(statement, script.next(*connection));
  if (statement == nullptr) return fail(ErrorCode::Usage, "no statement of the SQL gives rows");
  const int columns_given = sqlite3_column_count(statement.get());
  TB_TRY_ASSIGN(const std::vector<Cell> values,
                values_of_variables(statement.get(), options.parameters));
  bind_all(statement.get(), values);
  connection->guard.reason.clear();
  before_run(*connection, statement.get());
  if (columns_given != 0) return true;
  TB_TRY_ASSIGN(const bool has_row, step());
  static_cast<void>(has_row);
  return false;
}

Result<> Query::State::begin() {
  for (;;) {
    TB_TRY_ASSIGN(const bool gives_rows, begin_next());
    if (gives_rows) break;
  }
  Schema typed;
  const std::vector<DataType> types =
      result_types(*connection, statement.get(), script.statement(), text_type(options));
  const std::vector<std::string> names = column_names(statement.get());
  for (size_t i = 0; i < names.size(); ++i) typed.fields.push_back({names[i], types[i]});
  TB_TRY_ASSIGN(const std::vector<Cell> values,
                values_of_variables(statement.get(), options.parameters));
  TB_TRY_ASSIGN(columns, column_scan(*connection, statement.get(), script.statement(), values));
  if (columns != nullptr) {
    for (size_t i = 0; i < names.size(); ++i)
      typed.fields[i].type = data_type(columns->columns[i]->sql_type, text_type(options));
  } else {
    TB_TRY_ASSIGN(pushed,
                  pushed_statement(*connection, statement.get(), script.statement(), values));
    if (pushed == nullptr)
      sorting = sorting_statement(*connection, statement.get(), script.statement(), values);
  }
  set_declared_types(options, typed.fields);
  schema = std::make_shared<const Schema>(std::move(typed));
  return {};
}

// False: there are no more rows.
Result<bool> Query::State::step() {
  if (connection->stop.requested()) return tl::unexpected(connection->stop.error());
  const int rc = sqlite3_step(running());
  if (rc == SQLITE_ROW) return true;
  if (rc == SQLITE_DONE) return false;
  return tl::unexpected(
      script.failure(sorting.statement == nullptr ? *connection : *sorting.connection));
}

Result<> Query::State::check_memory() {
  size_t bytes = kept_bytes;
  for (const ColumnBuilder& builder : builders) bytes += builder.memory();
  if (options.most_bytes == 0 || bytes <= options.most_bytes) return {};
  return fail(ErrorCode::Limit,
              fmt::format("the query takes more than its limit of {} bytes", options.most_bytes));
}

// Keeps rows until the types of all columns follow from them.
Result<> Query::State::set_types() {
  if (is_typed) return {};
  std::vector<Field> fields = schema->fields;
  std::vector<Seen> seen(fields.size());
  const auto is_unknown = [](const Field& field) { return field.type == DataType::Unknown; };
  while (std::ranges::any_of(fields, is_unknown) && !has_all && kept_bytes < kMostKeptBytes) {
    TB_TRY_ASSIGN(const bool has_row, step());
    has_all = !has_row;
    for (size_t i = 0; has_row && i < fields.size(); ++i) {
      Cell& cell = kept.emplace_back(cell_of(sqlite3_column_value(running(), static_cast<int>(i))));
      seen[i].add(cell.kind);
      cell.text = kept_texts.emplace_back(cell.text);
      kept_bytes += sizeof cell + cell.text.size();
    }
    TB_TRY(check_memory());
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!is_unknown(fields[i])) continue;
    fields[i].type = seen[i].type(text_type(options), has_all);
    if (seen[i].texts && (seen[i].integers || seen[i].reals))
      warnings.push_back(
          fmt::format("column {}: numbers among texts became texts", fields[i].name));
  }
  const size_t most_text_bytes = std::min(options.most_text_bytes, kMostTextBytes);
  for (const Field& field : fields) builders.emplace_back(field.type, most_text_bytes);
  schema = std::make_shared<const Schema>(Schema{std::move(fields)});
  is_typed = true;
  return {};
}

// The error of a value that its column does not take. `value` says which: ", row 3: TEXT".
Error Query::State::misfit(size_t column, std::string_view value) const {
  const auto& [name, type] = schema->fields[column];
  if (!builders[column].is_out_of_room())
    return {ErrorCode::TypeChanged,
            fmt::format("column {}{} does not fit {}; CAST it, or give types=", name, value,
                        name_of(type))};
  const size_t most = std::min(options.most_text_bytes, kMostTextBytes);
  if (type != DataType::Dictionary)
    return {ErrorCode::Limit,
            fmt::format("column {}{} takes more than {} bytes", name, value, most)};
  return {ErrorCode::Limit,
          fmt::format("column {}{} does not fit a dictionary of {} bytes; give it type utf8", name,
                      value, most)};
}

Result<> Query::State::add(size_t column, const Cell& cell) {
  if (builders[column].add(cell)) return {};
  return tl::unexpected(misfit(column, fmt::format(", row {}: {}", rows + 1, name_of(cell.kind))));
}

Result<> Query::State::add_rows(size_t most) {
  const uint64_t begin = rows, end = rows + most;
  std::vector<Cell> cells(width());
  while (rows < end && !is_full()) {
    const bool is_kept = next_kept < kept.size();
    if (is_kept) {
      std::copy_n(kept.begin() + static_cast<ptrdiff_t>(next_kept), width(), cells.begin());
    } else {
      if (has_all) return {};
      if (!is_row_waiting) {
        TB_TRY_ASSIGN(is_row_waiting, step());
      }
      has_all = !is_row_waiting;
      if (has_all) return {};
      for (size_t i = 0; i < cells.size(); ++i)
        cells[i] = cell_of(sqlite3_column_value(running(), static_cast<int>(i)));
    }
    if (rows != begin && !has_room(cells)) return {};
    if (is_kept)
      next_kept += width();
    else
      is_row_waiting = false;
    for (size_t i = 0; i < cells.size(); ++i) TB_TRY(add(i, cells[i]));
    ++rows;
  }
  return {};
}

Result<> Query::State::add_stored_rows(size_t most) {
  ColumnScan& from = *columns;
  const StringPool& strings = from.captured.table->strings();
  constexpr size_t kRowsOfTexts = 1024;  // until is_full() is asked
  const bool has_texts = std::ranges::any_of(builders, &ColumnBuilder::has_offsets);
  const uint64_t begin = rows;
  while (most != 0 && from.limit != 0 && !from.scan.at_end() && !is_full()) {
    Scan::Rows block = from.scan.rows();
    if (from.offset >= block.count) {
      from.offset -= block.count;
      if (!from.scan.skip_rows()) return tl::unexpected(connection->stop.error());
      continue;
    }
    from.scan.skip_in_block(static_cast<size_t>(from.offset));
    from.offset = 0;
    block = from.scan.rows();
    block.count = std::min({block.count, most, static_cast<size_t>(from.limit)});
    if (has_texts) {
      block.count = std::min(block.count, kRowsOfTexts);
      for (size_t i = 0; i < width(); ++i)
        block.count = builders[i].rows_with_room(*from.columns[i], strings, block);
      if (block.count == 0 && rows != begin) return {};
      block.count = std::max<size_t>(block.count, 1);
    }
    for (size_t i = 0; i < width(); ++i)
      if (!builders[i].add_rows(*from.columns[i], strings, block))
        return tl::unexpected(misfit(i, fmt::format(": a value behind row {}", rows)));
    most -= block.count;
    from.limit -= block.count;
    rows += block.count;
    if (block.count == from.scan.rows().count) {
      if (!from.scan.skip_rows()) return tl::unexpected(connection->stop.error());
    } else {
      from.scan.skip_in_block(block.count);
    }
  }
  return {};
}

Result<> Query::State::run_rest() {
  for (;;) {
    TB_TRY_ASSIGN(statement, script.next(*connection));
    if (statement == nullptr) return {};
    if (sqlite3_column_count(statement.get()) != 0) {
      const auto offset = static_cast<size_t>(script.statement().data() - script.text().data());
      return fail(ErrorCode::Usage,
                  fmt::format("line {}: a query gives the rows of one statement, and this is "
                              "another",
                              position_at(script.text(), offset).line));
    }
    TB_TRY_ASSIGN(const std::vector<Cell> values,
                  values_of_variables(statement.get(), options.parameters));
    bind_all(statement.get(), values);
    before_run(*connection, statement.get());
    TB_TRY_ASSIGN(const bool has_row, step());
    static_cast<void>(has_row);
  }
}

Result<std::optional<RecordBatch>> Query::State::next_batch() {
  if (connection->stop.stopped()) return tl::unexpected(connection->stop.error());
  TB_TRY(set_types());
  const uint64_t before = rows;
  const size_t most = std::clamp<size_t>(options.batch_rows, 1, kMostBatchRows);
  if (columns != nullptr)
    TB_TRY(add_stored_rows(most));
  else
    TB_TRY(add_rows(most));
  TB_TRY(check_memory());
  if (options.most_rows != 0 && rows > options.most_rows)
    return fail(ErrorCode::Limit,
                fmt::format("the query gives more than its limit of {} rows", options.most_rows));
  RecordBatch batch{schema, static_cast<size_t>(rows - before), {}};
  if (batch.rows == 0) {
    columns.reset();
    pushed.reset();
    sorting = {};
    TB_TRY(run_rest());
    for (size_t i = 0; i < builders.size(); ++i)
      if (builders[i].invalid_texts() != 0)
        warnings.push_back(fmt::format("column {}: {} texts that are not UTF-8 have U+FFFD",
                                       schema->fields[i].name, builders[i].invalid_texts()));
    return std::nullopt;
  }
  for (ColumnBuilder& builder : builders) batch.columns.push_back(builder.finish());
  return batch;
}

Query::Query(std::unique_ptr<State> state) : state_(std::move(state)) {}
Query::Query(Query&&) noexcept = default;
Query& Query::operator=(Query&&) noexcept = default;
Query::~Query() = default;

Result<std::shared_ptr<const Schema>> Query::schema() {
  if (state_->is_typed) return state_->schema;
  const bool was_done = std::exchange(state_->is_done, true);  // also after an exception
  TB_TRY(state_->set_types());
  state_->is_done = was_done;
  return state_->schema;
}

Result<std::optional<RecordBatch>> Query::next() {
  if (state_->is_done) return std::nullopt;
  state_->is_done = true;  // also after an exception
  Result<std::optional<RecordBatch>> batch = state_->next_batch();
  state_->is_done = !batch || !*batch;
  return batch;
}

bool Query::is_columnar() const { return state_->columns != nullptr; }
const std::vector<std::string>& Query::warnings() const { return state_->warnings; }

Result<Query> query(Connection& connection, std::string_view sql, QueryOptions options) {
  const std::shared_ptr<ConnectionState> of = connection.share();
  if (of->is_busy)
    return fail(ErrorCode::Usage, "the connection runs another query; open one for each");
  of->stop = StopCheck(options.stop, options.deadline);
  TB_TRY(check_names(sql, options.parameters));
  TB_TRY_ASSIGN(Script script, Script::of(sql));
  of->is_busy = true;
  auto state = std::make_unique<Query::State>(of, std::move(options), std::move(script));
  TB_TRY(state->begin());
  return Query(std::move(state));
}

Result<Schema> describe(Connection& connection, std::string_view sql, const QueryOptions& options) {
  ConnectionState& state = connection.state();
  if (state.is_busy)
    return fail(ErrorCode::Usage, "the connection runs another query; open one for each");
  state.stop = StopCheck(options.stop, options.deadline);
  TB_TRY_ASSIGN(Script script, Script::of(sql));
  TB_TRY_ASSIGN(const StatementPtr statement, script.next(state));
  const std::vector<DataType> types =
      result_types(state, statement.get(), script.statement(), text_type(options));
  Schema schema;
  for (const std::string& name : column_names(statement.get()))
    schema.fields.push_back({name, types[schema.fields.size()]});
  set_declared_types(options, schema.fields);
  return schema;
}

}  // namespace tracebraid
