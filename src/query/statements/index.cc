#include "query/statements/index.h"

#include <fmt/core.h>

#include "query/compile/script.h"
#include "query/compile/select_text.h"
#include "query/scan/column_values.h"
#include "query/statements/session.h"

namespace tracebraid {
namespace {

const ColumnView* column_of(const Table& table, std::string_view name) {
  for (const ColumnView& column : table.view().columns)
    if (same_name(column.name, name)) return &column;
  return nullptr;
}

}  // namespace

Result<> create_index(ConnectionState& connection, const SqlText& sql,
                      const ParsedStatement& statement) {
  const auto wrong = [&](const std::string& message) {
    return tl::unexpected(error_at(sql, ErrorCode::Sql, 0, "CREATE PERFETTO INDEX: " + message));
  };
  const std::string number = created_table_number(connection, statement.table);
  if (number.empty()) {
    for (const Table* raw : connection.module.raw)
      if (same_name(raw->view().name, statement.table))
        return wrong(fmt::format(
            "indexes on intrinsic table '{}' must be declared at compile time, not via SQL",
            statement.table));
    return wrong(fmt::format("table '{}' does not exist", statement.table));
  }
  const Table& table = *connection.module.created.find(number)->second;
  for (const std::string& name : statement.index_columns)
    if (column_of(table, name) == nullptr)
      return wrong(fmt::format("Column '{}' not found in table '{}'", name, statement.table));
  auto& indexes = connection.session->indexes;
  if (indexes.contains(statement.name) && !statement.replaces)
    return wrong(fmt::format("Index '{}' already exists", statement.name));
  const ColumnView& first = *column_of(table, statement.index_columns.front());
  if (holds_integers(first) && !is_searchable(first) &&
      table.study(first).build_index(first, table.rows(), connection.stop) == nullptr &&
      connection.stop.stopped())
    return tl::unexpected(connection.stop.error());
  indexes[statement.name] = number;
  return {};
}

Result<> drop_index(ConnectionState& connection, const SqlText& sql,
                    const ParsedStatement& statement) {
  if (connection.session->indexes.erase(statement.name) != 0) return {};
  return tl::unexpected(
      error_at(sql, ErrorCode::Sql, 0,
               fmt::format("DROP PERFETTO INDEX: Index '{}' not found", statement.name)));
}

}  // namespace tracebraid
