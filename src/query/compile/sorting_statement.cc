#include "query/compile/sorting_statement.h"

#include <algorithm>
#include <string>

#include "query/compile/parameters.h"

namespace tracebraid {
namespace {

// Whether the program of the statement sorts.
bool has_sort(sqlite3* db, std::string_view sql) {
  const StatementPtr program = prepare(db, "EXPLAIN " + std::string(sql));
  while (program != nullptr && sqlite3_step(program.get()) == SQLITE_ROW) {
    const auto* name = reinterpret_cast<const char*>(sqlite3_column_text(program.get(), 1));
    if (name != nullptr && std::string_view(name) == "SorterOpen") return true;
  }
  return false;
}

}  // namespace

SortingStatement sorting_statement(ConnectionState& connection, sqlite3_stmt* compiled,
                                   std::string_view sql, std::span<const Cell> values) {
  const bool has_many_rows = std::ranges::any_of(connection.module.raw, [&](const Table* table) {
    return table->rows() >= connection.least_rows_to_sort_apart;
  });
  // With temporary files the first handle sorts in chunks itself. The second one lacks what
  // statements made or set.
  if (!has_many_rows || connection.tables->has_temporary_files() ||
      sqlite3_stmt_isexplain(compiled) != 0 || connection.has_changed ||
      connection.guard.has_settings || !has_sort(connection.db.get(), sql))
    return {};
  if (connection.sorting == nullptr) connection.sorting = open_sorting_handle(connection);
  if (connection.sorting == nullptr) return {};
  connection.sorting->stop = connection.stop;
  connection.sorting->module.stats = connection.module.stats;
  connection.sorting->guard.reason.clear();
  StatementPtr statement = prepare(connection.sorting->db.get(), sql);
  if (statement == nullptr) return {};
  bind_all(statement.get(), values);
  return {connection.sorting, std::move(statement)};
}

}  // namespace tracebraid
