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

// Builds the index of single values of the first column, and that of all columns up to the first
// one of reals. Sorted columns need none.
Result<> build_indexes(const Table& table, const std::vector<std::string>& names,
                       const StopCheck& stop) {
  std::vector<const ColumnView*> columns;
  for (const std::string& name : names) {
    const ColumnView* const column = column_of(table, name);
    if (!holds_integers(*column)) break;
    columns.push_back(column);
  }
  if (columns.empty() || is_searchable(*columns[0])) return {};
  ColumnStudy& study = table.study(*columns[0]);
  std::optional<OrderedIndex> ordered;
  if (study.build_index(*columns[0], table.rows(), stop) != nullptr)
    ordered = OrderedIndex::build(std::move(columns), table.rows(), stop);
  if (stop.stopped()) return tl::unexpected(stop.error());
  if (ordered) study.add_ordered_index(*std::move(ordered));
  return {};
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
  TB_TRY(build_indexes(table, statement.index_columns, connection.stop));
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
