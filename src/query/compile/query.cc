#include "query/compile/query.h"

#include <fmt/core.h>

#include <utility>

#include "query/compile/connection_state.h"
#include "query/compile/result_types.h"
#include "query/compile/script.h"
#include "query/compile/statement_rows.h"
#include "query/compile/variables.h"
#include "query/statements/session.h"
#include "query/statements/statement_functions.h"

namespace tracebraid {
namespace {

// A single column of this name asks that the result not be shown (spec sql-dialect 2.10).
constexpr std::string_view kSilent = "suppress_query_output";

bool is_silent(const Schema& schema, std::string_view select) {
  if (schema.fields.size() != 1) return false;
  return schema.fields[0].name == kSilent || only_acts(select);
}

}  // namespace

struct Query::State {
  RunningScript script;
  bool has_all_results;                      // as of query_all()
  std::unique_ptr<StatementRows> rows = {};  // of the current result; null behind the last one
  std::shared_ptr<const Schema> schema = std::make_shared<const Schema>();  // of the result
  bool is_columnar = false, has_failed = false;

  State(RunningScript of, bool all_results) : script(std::move(of)), has_all_results(all_results) {
    script.connection->parameters = script.options.parameters;
    script.connection->is_busy = true;  // until the destructor, which an exception above would skip
  }
  ~State() {
    rows.reset();
    script.connection->session->log.end();
    release_created_by_query(*script.connection->session);
    script.connection->is_busy = false;
    script.connection->parameters = {};
  }

  Result<std::vector<Cell>> bind(sqlite3_stmt* statement);
  Result<> execute(sqlite3_stmt* statement);
  Result<bool> begin_statement(StatementPtr statement);
  Result<bool> begin_rows();
  Result<> run_rest();
  Result<std::optional<RecordBatch>> next_batch();
  Result<bool> next_result();
  Result<bool> next_statement();
  StatementInfo statement() const;
};

Result<std::vector<Cell>> Query::State::bind(sqlite3_stmt* statement) {
  TB_TRY_ASSIGN(std::vector<Cell> values,
                values_of_variables(statement, script.options.parameters));
  bind_all(statement, values);
  script.connection->guard.reason.clear();
  before_run(*script.connection, statement);
  return values;
}

// Runs a statement that gives no rows.
Result<> Query::State::execute(sqlite3_stmt* statement) {
  const StopCheck& stop = script.connection->stop;
  if (stop.requested()) return tl::unexpected(stop.error());
  const int rc = sqlite3_step(statement);
  if (rc == SQLITE_ROW || rc == SQLITE_DONE) return {};
  return tl::unexpected(script.script.failure(*script.connection));
}

// Begins a statement that gives rows; runs any other one. Returns whether it gives rows.
Result<bool> Query::State::begin_statement(StatementPtr statement) {
  TB_TRY_ASSIGN(const std::vector<Cell> values, bind(statement.get()));
  if (sqlite3_column_count(statement.get()) == 0) {
    TB_TRY(execute(statement.get()));
    return false;
  }
  TB_TRY_ASSIGN(rows, StatementRows::begin(script, std::move(statement), values));
  schema = rows->schema();
  is_columnar = rows->is_columnar();
  return true;
}

// Runs the statements up to the first that gives rows, and begins that. False: there is none.
Result<bool> Query::State::begin_rows() {
  for (;;) {
    TB_TRY_ASSIGN(StatementPtr statement, script.script.next(*script.connection));
    if (statement == nullptr) return false;
    TB_TRY_ASSIGN(const bool has_rows, begin_statement(std::move(statement)));
    if (has_rows) return true;
  }
}

Result<> Query::State::run_rest() {
  for (;;) {
    TB_TRY_ASSIGN(const StatementPtr statement, script.script.next(*script.connection));
    if (statement == nullptr) return {};
    if (sqlite3_column_count(statement.get()) != 0)
      return fail(ErrorCode::Usage,
                  fmt::format("line {}: a query gives the rows of one statement, and this is "
                              "another",
                              script.script.line()));
    TB_TRY_ASSIGN(const std::vector<Cell> values, bind(statement.get()));
    TB_TRY(execute(statement.get()));
  }
}

Result<std::optional<RecordBatch>> Query::State::next_batch() {
  if (rows == nullptr) return std::nullopt;
  script.connection->session->log.note_next();
  TB_TRY_ASSIGN(std::optional<RecordBatch> batch, rows->next());
  schema = rows->schema();
  if (batch) return batch;
  rows.reset();
  if (!has_all_results) TB_TRY(run_rest());
  return std::nullopt;
}

Result<bool> Query::State::next_result() {
  for (;;) {
    rows.reset();
    TB_TRY_ASSIGN(const bool has_rows, begin_rows());
    if (!has_rows || !is_silent(*schema, script.script.statement())) return has_rows;
    for (std::optional<RecordBatch> batch{RecordBatch()}; batch;) {
      TB_TRY_ASSIGN(batch, next_batch());
    }
  }
}

Result<bool> Query::State::next_statement() {
  rows.reset();
  schema = std::make_shared<const Schema>();
  if (script.script.has_any() && script.script.is_at_end()) return false;
  TB_TRY_ASSIGN(StatementPtr statement,
                script.script.next(*script.connection, Script::OwnStatements::RunOne));
  if (statement != nullptr) TB_TRY(begin_statement(std::move(statement)));
  return true;
}

StatementInfo Query::State::statement() const {
  return {.text = std::string(script.script.source_statement()),
          .end_offset = script.script.offset(),
          .is_last = script.script.is_at_end(),
          .has_columns = !schema->fields.empty(),
          .is_silent = is_silent(*schema, script.script.statement())};
}

Query::Query(std::unique_ptr<State> state) : state_(std::move(state)) {}
Query::Query(Query&&) noexcept = default;
Query& Query::operator=(Query&&) noexcept = default;
Query::~Query() = default;

Result<bool> Query::next_result() {
  if (state_->has_failed) return false;
  state_->has_failed = true;  // also after an exception
  Result<bool> has_result = state_->next_result();
  state_->has_failed = !has_result;
  return has_result;
}

Result<bool> Query::next_statement() {
  if (state_->has_failed) return false;
  state_->has_failed = true;  // also after an exception
  Result<bool> has_statement = state_->next_statement();
  state_->has_failed = !has_statement;
  return has_statement;
}

StatementInfo Query::statement() const { return state_->statement(); }
void Query::skip(size_t bytes) { state_->script.script.skip(bytes); }

Result<std::shared_ptr<const Schema>> Query::schema() {
  if (state_->rows != nullptr && !state_->has_failed) {
    state_->has_failed = true;  // also after an exception
    TB_TRY(state_->rows->set_types());
    state_->has_failed = false;
    state_->schema = state_->rows->schema();
  }
  return state_->schema;
}

Result<std::optional<RecordBatch>> Query::next() {
  if (state_->has_failed) return std::nullopt;
  state_->has_failed = true;  // also after an exception
  Result<std::optional<RecordBatch>> batch = state_->next_batch();
  state_->has_failed = !batch;
  return batch;
}

bool Query::is_columnar() const { return state_->is_columnar; }
const std::vector<std::string>& Query::warnings() const { return state_->script.warnings; }

namespace {

// Prepares the connection for a text.
Result<RunningScript> begin_script(Connection& connection, std::string_view sql,
                                   QueryOptions options) {
  std::shared_ptr<ConnectionState> of = connection.share();
  if (of->is_busy)
    return fail(ErrorCode::Usage, "the connection runs another query; open one for each");
  of->stop = StopCheck(options.stop, options.deadline);
  TB_TRY_ASSIGN(Script script, Script::of(sql));
  TB_TRY(check_names(sql, options.parameters));
  TB_TRY(check_value_count(sql, options.parameters));
  of->operator_memory.most = options.most_bytes;
  of->session->log.begin(sql);
  return RunningScript{std::move(of), std::move(options), std::move(script)};
}

}  // namespace

Result<Query> query(Connection& connection, std::string_view sql, QueryOptions options) {
  TB_TRY_ASSIGN(RunningScript script, begin_script(connection, sql, std::move(options)));
  auto state = std::make_unique<Query::State>(std::move(script), false);
  TB_TRY_ASSIGN(const bool has_rows, state->begin_rows());
  if (!has_rows) return fail(ErrorCode::Usage, "no statement of the SQL gives rows");
  return Query(std::move(state));
}

Result<Query> query_all(Connection& connection, std::string_view sql, QueryOptions options) {
  TB_TRY_ASSIGN(RunningScript script, begin_script(connection, sql, std::move(options)));
  return Query(std::make_unique<Query::State>(std::move(script), true));
}

Result<Schema> describe(Connection& connection, std::string_view sql, const QueryOptions& options) {
  ConnectionState& state = connection.state();
  if (state.is_busy)
    return fail(ErrorCode::Usage, "the connection runs another query; open one for each");
  state.stop = StopCheck(options.stop, options.deadline);
  TB_TRY_ASSIGN(Script script, Script::of(sql));
  TB_TRY_ASSIGN(const StatementPtr statement, script.next(state, Script::OwnStatements::Stop));
  if (statement == nullptr) return Schema{};
  Schema schema{result_fields(state, statement.get(), script.statement(),
                              column_names(statement.get()), options.text_type(),
                              TypesOf::MostRows)};
  set_declared_types(options.types, schema.fields);
  return schema;
}

}  // namespace tracebraid
