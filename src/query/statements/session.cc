#include "query/statements/session.h"

#include <fmt/core.h>

#include <set>

namespace tracebraid {
namespace {

// Returns N of `CREATE VIRTUAL TABLE name USING module(N)`; empty for other texts.
std::string number_of(std::string_view sql) {
  const size_t open = sql.rfind('(');
  if (open == sql.npos || !sql.ends_with(')')) return {};
  return std::string(sql.substr(open + 1, sql.size() - open - 2));
}

// Returns the numbers of the virtual tables whose name is `name`, or of all if it is empty. Nothing
// if SQLite fails.
std::optional<std::set<std::string>> listed_numbers(const ConnectionState& connection,
                                                    std::string_view name) {
  sqlite3_stmt* compiled = nullptr;
  sqlite3_prepare_v3(connection.db.get(),
                     "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND rootpage = 0 AND "
                     "(?1 = '' OR name = ?1 COLLATE NOCASE)",
                     -1, 0, &compiled, nullptr);
  const StatementPtr statement(compiled);
  if (compiled == nullptr) return std::nullopt;
  sqlite3_bind_text(compiled, 1, name.data() == nullptr ? "" : name.data(),
                    static_cast<int>(name.size()), SQLITE_STATIC);
  std::set<std::string> numbers;
  int rc = SQLITE_ROW;
  while ((rc = sqlite3_step(compiled)) == SQLITE_ROW) {
    const auto* sql = reinterpret_cast<const char*>(sqlite3_column_text(compiled, 0));
    if (sql != nullptr) numbers.insert(number_of(sql));
  }
  return rc == SQLITE_DONE ? std::optional(std::move(numbers)) : std::nullopt;
}

}  // namespace

std::unique_ptr<Session> new_session() { return std::make_unique<Session>(); }

void finalize_statements(Session& session) {
  for (const auto& [key, slot] : session.functions)
    if (slot->function != nullptr) slot->function->idle.clear();
  for (const auto& [number, function] : session.view_functions) function->idle.clear();
}

void release_created_by_query(Session& session) {
  for (const std::weak_ptr<CreatedTable>& created : session.created_by_query)
    if (const std::shared_ptr<CreatedTable> table = created.lock()) table->memory.outlast_query();
  session.created_by_query.clear();
}

void free_dropped_tables(ConnectionState& connection) {
  sqlite3* const db = connection.db.get();
  // Another statement may run, such as one that calls import().
  if (sqlite3_get_autocommit(db) == 0 || connection.call_depth != 0) return;
  const auto numbers = listed_numbers(connection, {});
  if (!numbers) return;
  std::erase_if(connection.module.created,
                [&](const auto& entry) { return !numbers->contains(entry.first); });
  std::erase_if(connection.session->indexes,
                [&](const auto& entry) { return !numbers->contains(entry.second.table); });
  std::erase_if(connection.session->view_functions,
                [&](const auto& entry) { return !numbers->contains(entry.first); });
  connection.module.may_have_dropped = false;
}

std::string created_table_number(const ConnectionState& connection, std::string_view name) {
  const auto numbers = listed_numbers(connection, name);
  if (!numbers) return {};
  for (const std::string& number : *numbers)
    if (connection.module.created.contains(number)) return number;
  return {};
}

}  // namespace tracebraid
