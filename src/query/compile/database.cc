#include "query/compile/database.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <algorithm>
#include <new>

#include "base/memory_budget.h"
#include "query/compile/dialect.h"
#include "query/compile/guard.h"
#include "query/compile/position.h"
#include "query/compile/pushed_statement.h"
#include "query/compile/relation.h"
#include "query/compile/statement.h"
#include "query/compile/tokens.h"
#include "query/functions/function.h"
#include "query/scan/virtual_table.h"

namespace tracebraid {
namespace {

struct Close {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};
using Connection = std::unique_ptr<sqlite3, Close>;

// Small allocations are the most of what SQLite does: fixed slots of its own for them.
constexpr int kLookasideSlotBytes = 1200;
constexpr int kLookasideSlots = 512;

constexpr std::string_view kNoMemory = "out of memory";
constexpr int kInstructionsPerLook = 4096;  // of SQLite's machine, until `stop` is looked at
constexpr int kLongestPattern = 1000;       // of LIKE and GLOB: a match takes pattern times text

tl::unexpected<Error> last_failure(sqlite3* db) {
  const bool no_memory = sqlite3_errcode(db) == SQLITE_NOMEM;
  return fail(no_memory ? ErrorCode::Limit : ErrorCode::Sql, sqlite3_errmsg(db));
}

Result<> execute(sqlite3* db, const std::string& sql) {
  if (sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return last_failure(db);
}

// An empty database that lives in memory, spilling nothing to disk.
Result<Connection> connect() {
  // Counting allocations takes a lock for each; nobody asks for the counts. Has an effect
  // only before SQLite's first use in the process.
  static const int configured = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  (void)configured;
  sqlite3* db = nullptr;
  constexpr int kFlags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX;
  const int rc = sqlite3_open_v2(":memory:", &db, kFlags, nullptr);
  Connection connection(db);
  if (rc == SQLITE_NOMEM) return fail(ErrorCode::Limit, std::string(kNoMemory));
  if (rc != SQLITE_OK) return fail(ErrorCode::Sql, sqlite3_errstr(rc));
  sqlite3_db_config(db, SQLITE_DBCONFIG_LOOKASIDE, nullptr, kLookasideSlotBytes, kLookasideSlots);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_limit(db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, kLongestPattern);
  // Files of SQLite's have no name, and are in $TMPDIR as ours.
  TB_TRY(
      execute(db, has_memory_budget() ? "PRAGMA temp_store = FILE" : "PRAGMA temp_store = MEMORY"));
  return connection;
}

int is_stopped(void* stop) {
  return static_cast<const std::atomic<bool>*>(stop)->load(std::memory_order_relaxed) ? 1 : 0;
}

// One text of SQL being run, and the statement in it that is at work.
struct Script {
  std::string text;
  std::string_view statement;

  Error error(ErrorCode code, size_t offset, std::string_view message) const {
    return {code, error_text(text, statement, offset, message)};
  }
  size_t statement_offset() const { return static_cast<size_t>(statement.data() - text.data()); }
};

// The statement at the start of `sql` up to its ';', found without compiling it.
std::string_view statement_at(std::string_view sql) {
  size_t length = 0;
  for (Token token = first_token(sql); token.kind != TokenKind::End && token.text != ";";
       token = first_token(sql.substr(length)))
    length += token.text.size();
  return sql.substr(0, length);
}

// SQLite says `near "x": syntax error`.
std::string reworded(std::string_view message) {
  constexpr std::string_view kNear = "near \"", kSyntax = "\": syntax error";
  if (!message.starts_with(kNear) || !message.ends_with(kSyntax)) return std::string(message);
  message.remove_prefix(kNear.size());
  message.remove_suffix(kSyntax.size());
  return fmt::format("syntax error near '{}'", message);
}

}  // namespace

struct Database::State {
  const StringPool& strings;
  std::atomic<bool> stop = false;
  TableModule module;
  std::vector<SqlFunction> functions;
  Guard guard;
  size_t least_rows_to_group = kLeastRowsToGroup;
  Connection db;  // last: closed first, as it points to the others

  explicit State(const StringPool& pool) : strings(pool) {}

  Result<> make(std::vector<TableView> views, std::string_view prelude);
  Result<> remember_ours();
  Error failure(const Script& script);
  Result<bool> run_next(Script& script, std::string_view& rest, RowSink& sink);
};

Result<> Database::State::make(std::vector<TableView> views, std::string_view prelude) {
  for (TableView& view : views)
    module.raw.push_back(std::make_unique<Table>(std::move(view), strings, stop));
  TB_TRY(add_aggregates(db.get()));
  TB_TRY(add_functions(db.get(), functions));
  TB_TRY(add_tables(db.get(), module));
  if (auto made = execute(db.get(), std::string(prelude)); !made)
    return tl::unexpected(std::move(made).error().within("prelude"));
  TB_TRY(remember_ours());
  set_guard(db.get(), guard);
  sqlite3_progress_handler(db.get(), kInstructionsPerLook, is_stopped, &stop);
  return {};
}

// What there is before anybody else makes something.
Result<> Database::State::remember_ours() {
  sqlite3_stmt* compiled = nullptr;
  sqlite3_prepare_v3(db.get(), "SELECT lower(name) FROM sqlite_schema", -1, 0, &compiled, nullptr);
  const StatementPtr statement(compiled);
  int rc = SQLITE_NOMEM;
  while (compiled != nullptr && (rc = sqlite3_step(compiled)) == SQLITE_ROW) {
    const auto* name = reinterpret_cast<const char*>(sqlite3_column_text(compiled, 0));
    if (name == nullptr) throw std::bad_alloc();
    guard.ours.emplace(name);
  }
  if (rc != SQLITE_DONE) return last_failure(db.get());
  return {};
}

// The error of the last thing SQLite did.
Error Database::State::failure(const Script& script) {
  const int rc = sqlite3_errcode(db.get());
  if (rc == SQLITE_INTERRUPT) return {ErrorCode::Cancelled, "interrupted"};
  if (rc == SQLITE_NOMEM) return {ErrorCode::Limit, std::string(kNoMemory)};
  std::string message = reworded(sqlite3_errmsg(db.get()));
  if (!guard.reason.empty()) message = guard.reason;
  const int offset = sqlite3_error_offset(db.get());
  return script.error(ErrorCode::Sql,
                      script.statement_offset() + static_cast<size_t>(std::max(0, offset)),
                      message);
}

// Runs the statement at the start of `rest` and cuts it off. False: the sink
// wants no more.
Result<bool> Database::State::run_next(Script& script, std::string_view& rest, RowSink& sink) {
  script.statement = rest;
  guard.reason.clear();
  const Statement kind = kind_of_statement(rest);
  if (kind != Statement::Sqlite) {
    script.statement = statement_at(rest);
    return tl::unexpected(script.error(ErrorCode::Sql, script.statement_offset(),
                                       fmt::format("{} is not supported yet", name_of(kind))));
  }
  sqlite3_stmt* compiled = nullptr;
  const char* tail = nullptr;
  // Counting the end mark spares SQLite a copy of the text.
  const int rc = sqlite3_prepare_v3(db.get(), rest.data(), static_cast<int>(rest.size() + 1), 0,
                                    &compiled, &tail);
  const StatementPtr statement(compiled);
  if (rc != SQLITE_OK) {
    script.statement = rest.substr(0, statement_at(rest).size() + 1);
    return tl::unexpected(failure(script));
  }
  const auto length = static_cast<size_t>(tail - rest.data());
  if (length == 0)
    return tl::unexpected(
        script.error(ErrorCode::Sql, script.statement_offset(), "unrecognized token"));
  script.statement = rest.substr(0, length);
  if (script.statement.ends_with(';')) script.statement.remove_suffix(1);
  rest.remove_prefix(length);
  TB_TRY_ASSIGN(const std::unique_ptr<PushedStatement> pushed,
                pushed_statement(db.get(), script.statement, relations_in(db.get(), guard, module),
                                 least_rows_to_group));
  guard.reason.clear();
  const std::vector<std::string> names = column_names(statement.get());
  const Outcome outcome =
      run_statement(pushed ? pushed->statement.get() : statement.get(), names, sink);
  if (outcome == Outcome::Failed) return tl::unexpected(failure(script));
  return outcome == Outcome::Done;
}

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open(std::vector<TableView> tables, const StringPool& strings,
                                std::vector<SqlFunction> functions, std::string_view prelude,
                                BeforeUse before_use) {
  auto state = std::make_unique<State>(strings);
  state->module.before_use = std::move(before_use);
  TB_TRY_ASSIGN(state->db, connect());
  state->functions = builtin_functions();
  std::move(functions.begin(), functions.end(), std::back_inserter(state->functions));
  if (Result<> made = state->make(std::move(tables), prelude); !made) {
    const bool no_memory = sqlite3_errcode(state->db.get()) == SQLITE_NOMEM;
    return no_memory ? fail(ErrorCode::Limit, std::string(kNoMemory))
                     : tl::unexpected(std::move(made).error());
  }
  return Database(std::move(state));
}

Result<> Database::run(std::string_view sql, RowSink& sink) {
  constexpr size_t kLongest = 1'000'000'000;
  if (sql.size() > kLongest) return fail(ErrorCode::Limit, "the SQL text is longer than 1 GB");
  state_->stop = false;
  Script script{std::string(sql), {}};
  std::string_view rest = script.text;
  bool any = false;
  for (;;) {
    while (rest.starts_with(';')) rest.remove_prefix(1);
    const std::string_view begin = skip_space(rest);
    if (begin.empty()) break;
    const bool is_empty = begin.starts_with(';');
    rest = begin;
    if (is_empty) continue;
    any = true;
    TB_TRY_ASSIGN(const bool goes_on, state_->run_next(script, rest, sink));
    if (!goes_on) return {};
  }
  if (!any) return fail(ErrorCode::Sql, "No valid SQL to run");
  return {};
}

void Database::set_least_rows_to_group(size_t rows) { state_->least_rows_to_group = rows; }

void Database::interrupt() {
  state_->stop = true;
  sqlite3_interrupt(state_->db.get());
}

std::vector<Database::Relation> Database::relations() {
  constexpr const char* kSql =
      "SELECT s.name, s.sql, c.name FROM (SELECT * FROM sqlite_schema "
      "UNION ALL SELECT * FROM sqlite_temp_schema) AS s, pragma_table_xinfo(s.name) AS c "
      "WHERE s.type IN ('table', 'view') ORDER BY s.name, c.cid";
  std::vector<Relation> relations;
  sqlite3_stmt* compiled = nullptr;
  if (sqlite3_prepare_v3(state_->db.get(), kSql, -1, 0, &compiled, nullptr) != SQLITE_OK)
    throw std::bad_alloc();  // nothing else can be wrong with it
  const StatementPtr statement(compiled);
  const auto text = [&](int column) {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(compiled, column));
    const auto size = static_cast<size_t>(sqlite3_column_bytes(compiled, column));
    return bytes == nullptr ? std::string() : std::string(bytes, size);
  };
  int rc = SQLITE_ROW;
  while ((rc = sqlite3_step(compiled)) == SQLITE_ROW) {
    std::string name = text(0);
    if (relations.empty() || relations.back().name != name) {
      const bool raw = std::ranges::any_of(
          state_->module.raw, [&](const auto& table) { return table->view().name == name; });
      relations.push_back({std::move(name), raw ? std::string() : text(1), {}});
    }
    relations.back().columns.push_back(text(2));
  }
  if (rc == SQLITE_NOMEM) throw std::bad_alloc();
  return relations;
}

std::optional<Database::StoredRelation> Database::stored_relation(std::string_view name) {
  const auto found = relations_in(state_->db.get(), state_->guard, state_->module)(name);
  if (!found || found->table == nullptr || !found->has_all_rows || !found->is_in_order)
    return std::nullopt;
  StoredRelation relation{found->table->rows(), {}};
  for (const RelationColumn& column : found->columns) relation.columns.push_back(column.column);
  return relation;
}

}  // namespace tracebraid
