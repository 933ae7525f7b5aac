#include "query/compile/connection.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <algorithm>
#include <new>

#include "query/compile/connection_state.h"
#include "query/compile/gather_rows.h"
#include "query/compile/memory_files.h"
#include "query/compile/schema.h"
#include "query/compile/statement.h"
#include "query/functions/function.h"
#include "query/functions/table_function.h"
#include "query/functions/text_functions.h"
#include "query/operators/operators.h"
#include "query/scan/sqlite_module.h"
#include "query/statements/include.h"
#include "query/statements/run_statement.h"
#include "query/statements/session.h"
#include "query/statements/statement_functions.h"

namespace tracebraid {
namespace {

// Most allocations of SQLite are small: it gets fixed slots for them.
constexpr int kLookasideSlotBytes = 1200;
constexpr int kLookasideSlots = 512;

constexpr int kInstructionsPerLook = 4096;  // of SQLite's machine, between two checks of `stop`
constexpr int kLongestPattern = 1000;

Result<> execute(sqlite3* db, const std::string& sql) {
  if (sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return tl::unexpected(sqlite_error(db));
}

// With files SQLite sorts chunks of the size of its cache, and merges them while it gives rows. It
// does not check for a stop while it sorts a chunk.
constexpr const char* kSortInChunks = "PRAGMA temp_store = FILE; PRAGMA cache_size = -4096";

enum class Sorts : uint8_t { AtOnce, InChunks };

// An empty database that lives in memory. Its temporary files lie in memory, too (memory_files.h),
// unless the TableSet has files.
Result<> connect(ConnectionState& state, Sorts sorts) {
  const char* const vfs = state.tables->has_temporary_files() ? nullptr : memory_vfs();
  sqlite3* db = nullptr;
  constexpr int kFlags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX;
  const int rc = sqlite3_open_v2(":memory:", &db, kFlags, vfs);
  state.db.reset(db);
  if (rc == SQLITE_NOMEM) return fail(ErrorCode::NoMemory, "out of memory");
  if (rc != SQLITE_OK) return fail(ErrorCode::Sql, sqlite3_errstr(rc));
  sqlite3_db_config(db, SQLITE_DBCONFIG_LOOKASIDE, nullptr, kLookasideSlotBytes, kLookasideSlots);
  sqlite3_limit(db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, kLongestPattern);
  if (sorts == Sorts::InChunks) return execute(db, kSortInChunks);
  // Files of SQLite have no name.
  return execute(db, state.tables->has_temporary_files() ? "PRAGMA temp_store = FILE"
                                                         : "PRAGMA temp_store = MEMORY");
}

int is_stopped(void* stop) { return static_cast<const StopCheck*>(stop)->stopped() ? 1 : 0; }

// Records the tables and views that exist before users add some.
Result<> remember_ours(ConnectionState& state) {
  sqlite3* const db = state.db.get();
  const StatementPtr statement = prepare(db, "SELECT lower(name) FROM sqlite_schema");
  sqlite3_stmt* const compiled = statement.get();
  int rc = SQLITE_NOMEM;
  while (compiled != nullptr && (rc = sqlite3_step(compiled)) == SQLITE_ROW) {
    const auto* name = reinterpret_cast<const char*>(sqlite3_column_text(compiled, 0));
    if (name == nullptr) throw std::bad_alloc();
    state.guard.ours.emplace(name);
  }
  if (rc != SQLITE_DONE) return tl::unexpected(sqlite_error(db));
  return {};
}

Result<> make(ConnectionState& state, Sorts sorts) {
  state.operator_memory.of_trace = &state.tables->statement_bytes();
  TB_TRY(connect(state, sorts));
  sqlite3* const db = state.db.get();
  for (const auto& table : state.tables->tables()) state.module.raw.push_back(table.get());
  state.module.before_use = state.tables->before_use();
  state.module.stop = &state.stop;
  state.functions = state.tables->functions(state.stop);
  std::ranges::move(statement_functions(&state), std::back_inserter(state.functions));
  TB_TRY(add_aggregates(db, state.stop));
  TB_TRY(add_text_functions(db, state.stop));
  TB_TRY(add_functions(db, state.functions, state.stop));
  TB_TRY(add_table_functions(db, state.tables->table_functions(), state.tables->before_use(),
                             state.stop));
  state.operators = {.db = db,
                     .stop = &state.stop,
                     .memory = &state.operator_memory,
                     .threads = state.tables->threads(),
                     .stats = &state.module.stats};
  state.operators.gather = [&state](std::string_view sql, std::span<const Cell> values) {
    return gather_rows(state, sql, values);
  };
  TB_TRY(add_operators(state.operators));
  TB_TRY(add_session_tables(state));
  TB_TRY(add_table_module(db, state.module));
  if (auto made = make_schema(db, state.module, state.tables->prelude()); !made)
    return tl::unexpected(std::move(made).error().within("prelude"));
  sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  TB_TRY(remember_ours(state));
  TB_TRY(run_prelude(state));
  state.is_as_new = true;
  state.views.clear();
  set_guard(db, state.guard);
  sqlite3_progress_handler(db, kInstructionsPerLook, is_stopped, &state.stop);
  return {};
}

}  // namespace

ConnectionState::ConnectionState() : run_own(run_statement), session(new_session()) {}

// Prepared statements of functions must be finalized before the database is closed.
ConnectionState::~ConnectionState() {
  finalize_statements(*session);
  release_created_by_query(*session);
  db.reset();
}

std::shared_ptr<ConnectionState> open_sorting_handle(const ConnectionState& connection) {
  if (memory_vfs() == nullptr) return nullptr;
  auto state = std::make_shared<ConnectionState>();
  state->tables = connection.tables;
  return make(*state, Sorts::InChunks) ? state : nullptr;
}

void before_run(ConnectionState& connection, sqlite3_stmt* compiled) {
  if (connection.module.may_have_dropped) free_dropped_tables(connection);
  const bool only_reads =
      sqlite3_stmt_readonly(compiled) != 0 && sqlite3_column_count(compiled) != 0;
  if (!only_reads) before_change(connection);
}

void before_change(ConnectionState& connection) {
  connection.is_as_new = false;
  if (connection.has_changed) return;
  connection.has_changed = true;
  if (memory_vfs() == nullptr || connection.tables->has_temporary_files()) return;
  connection.guard.is_off = true;
  sqlite3_exec(connection.db.get(), kSortInChunks, nullptr, nullptr, nullptr);
  connection.guard.is_off = false;
}

Connection::Connection(std::shared_ptr<ConnectionState> state) : state_(std::move(state)) {}
Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;
Connection::~Connection() = default;

bool Connection::is_as_new() const { return state_->is_as_new; }

Result<Connection> Connection::open(std::shared_ptr<const TableSet> tables) {
  auto state = std::make_shared<ConnectionState>();
  state->tables = std::move(tables);
  state->least_rows_to_group = kLeastRowsToGroup;
  state->least_rows_to_sort_apart = kLeastRowsToSortApart;
  if (Result<> made = make(*state, Sorts::AtOnce); !made) {
    const bool no_memory = state->db != nullptr && sqlite3_errcode(state->db.get()) == SQLITE_NOMEM;
    return no_memory ? fail(ErrorCode::NoMemory, "out of memory")
                     : tl::unexpected(std::move(made).error());
  }
  return Connection(std::move(state));
}

void Connection::set_stats(QueryStats* stats) { state_->module.stats = stats; }
void Connection::set_least_rows_to_group(size_t rows) { state_->least_rows_to_group = rows; }

std::vector<RelationInfo> Connection::relations() {
  // Looking for temporary tables would make the database of them: see before_run().
  const std::string sql = fmt::format(
      "SELECT s.name, s.sql, c.name FROM (SELECT * FROM sqlite_schema{}) AS s, "
      "pragma_table_xinfo(s.name) AS c WHERE s.type IN ('table', 'view') ORDER BY s.name, c.cid",
      state_->has_changed ? " UNION ALL SELECT * FROM sqlite_temp_schema" : "");
  if (!state_->is_busy) state_->stop = {};
  std::vector<RelationInfo> relations;
  sqlite3_stmt* compiled = nullptr;
  if (sqlite3_prepare_v3(state_->db.get(), sql.c_str(), -1, 0, &compiled, nullptr) != SQLITE_OK)
    throw std::bad_alloc();  // the only possible failure
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
          state_->module.raw, [&](const Table* table) { return table->view().name == name; });
      relations.push_back({std::move(name), raw ? std::string() : text(1), {}});
    }
    relations.back().columns.push_back(text(2));
  }
  if (rc == SQLITE_NOMEM) throw std::bad_alloc();
  return relations;
}

std::vector<std::string> Connection::function_names() const {
  std::vector<std::string> names;
  for (const SqlFunction& function : state_->functions) names.emplace_back(function.signature.name);
  for (const AggregateFunction& function : aggregate_functions())
    names.emplace_back(function.signature.name);
  for (const TableFunction& function : state_->tables->table_functions())
    names.emplace_back(function.name);
  for (const TableFunction& function : state_->session_tables) names.emplace_back(function.name);
  for (const auto& [key, slot] : state_->session->functions)
    if (slot->function != nullptr) names.push_back(slot->function->name);
  std::erase_if(names, [](const std::string& name) { return name.starts_with("__intrinsic_"); });
  return names;
}

std::vector<std::string> Connection::module_keys() const {
  return state_->session->packages.keys();
}

Result<> Connection::register_package(SqlPackage package) {
  state_->is_as_new = false;
  return state_->session->packages.add(std::move(package));
}

std::optional<StoredRelation> Connection::stored_relation(std::string_view name) {
  const auto found = state_->relations()(name);
  if (!found || found->table == nullptr || !found->has_all_rows || !found->is_in_order)
    return std::nullopt;
  StoredRelation relation{found->table->rows(), {}};
  for (const RelationColumn& column : found->columns) relation.columns.push_back(column.column);
  return relation;
}

void stop_counting_sqlite_memory() { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

}  // namespace tracebraid
