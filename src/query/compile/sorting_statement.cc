#include "query/compile/sorting_statement.h"

#include <algorithm>
#include <string>

#include "query/compile/connection.h"
#include "query/compile/parameters.h"

namespace tracebraid {
namespace {

StatementPtr prepare(sqlite3* db, std::string_view sql) {
  sqlite3_stmt* compiled = nullptr;
  sqlite3_prepare_v3(db, sql.data(), static_cast<int>(sql.size()), 0, &compiled, nullptr);
  return StatementPtr(compiled);
}

// Returns whether statements have made or set nothing that the second handle lacks.
bool is_as_opened(const ConnectionState& connection) {
  sqlite3* const db = connection.db.get();
  if (connection.guard.has_settings || sqlite3_total_changes(db) != connection.changes_at_open)
    return false;
  const StatementPtr count = prepare(
      db,
      "SELECT (SELECT count(*) FROM sqlite_schema) + (SELECT count(*) FROM sqlite_temp_schema)");
  return count != nullptr && sqlite3_step(count.get()) == SQLITE_ROW &&
         sqlite3_column_int64(count.get(), 0) ==
             static_cast<sqlite3_int64>(connection.guard.ours.size());
}

// Returns whether the program of the statement sorts, and buffers no other rows.
bool only_sorts(sqlite3* db, std::string_view sql) {
  const StatementPtr program = prepare(db, "EXPLAIN " + std::string(sql));
  bool sorts = false;
  while (program != nullptr && sqlite3_step(program.get()) == SQLITE_ROW) {
    const auto* name = reinterpret_cast<const char*>(sqlite3_column_text(program.get(), 1));
    const std::string_view instruction = name == nullptr ? "" : name;
    sorts = sorts || instruction == "SorterOpen";
    for (const char* other : {"OpenEphemeral", "OpenAutoindex", "OpenRead", "OpenWrite"})
      if (instruction == other) return false;
  }
  return sorts;
}

}  // namespace

SortingStatement sorting_statement(ConnectionState& connection, sqlite3_stmt* compiled,
                                   std::string_view sql, std::span<const Cell> values) {
  const bool has_many_rows = std::ranges::any_of(connection.module.raw, [&](const Table* table) {
    return table->rows() >= connection.least_rows_to_sort_apart;
  });
  // The first handle uses in chunks itself if there is a budget.
  if (!has_many_rows || connection.tables->has_temporary_files() ||
      sqlite3_stmt_isexplain(compiled) != 0 || sqlite3_stmt_readonly(compiled) == 0 ||
      !only_sorts(connection.db.get(), sql) || !is_as_opened(connection))
    return {};
  if (connection.sorting == nullptr) connection.sorting = open_sorting_handle(connection);
  if (connection.sorting == nullptr) return {};
  connection.sorting->stop = connection.stop;
  connection.sorting->guard.reason.clear();
  StatementPtr statement = prepare(connection.sorting->db.get(), sql);
  if (statement == nullptr) return {};
  bind_all(statement.get(), values);
  return {connection.sorting, std::move(statement)};
}

}  // namespace tracebraid
