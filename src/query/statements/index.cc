#include "query/statements/index.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

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

// Returns the columns up to the first one of reals; none if the first one is sorted, because it
// needs no index.
std::vector<const ColumnView*> indexed_columns(const Table& table,
                                               const std::vector<std::string>& names) {
  std::vector<const ColumnView*> columns;
  for (const std::string& name : names) {
    const ColumnView* const column = column_of(table, name);
    if (!holds_integers(*column)) break;
    columns.push_back(column);
  }
  if (!columns.empty() && is_searchable(*columns[0])) columns.clear();
  return columns;
}

// Builds the index of single values of the first column, and that of all columns.
Result<> build_indexes(const Table& table, const std::vector<std::string>& names,
                       const StopCheck& stop) {
  std::vector<const ColumnView*> columns = indexed_columns(table, names);
  if (columns.empty()) return {};
  ColumnStudy& study = table.study(*columns[0]);
  std::optional<OrderedIndex> ordered;
  if (study.build_index(*columns[0], table.rows(), stop) != nullptr)
    ordered = OrderedIndex::build(std::move(columns), table.rows(), stop);
  if (stop.stopped()) return tl::unexpected(stop.error());
  if (ordered) study.add_ordered_index(*std::move(ordered));
  return {};
}

// Frees the memory of an index that is no longer listed, except what other indexes share.
void free_index(const ConnectionState& connection, const Session::Index& index) {
  // A statement that calls import() may scan the table.
  if (connection.call_depth != 0) return;
  const auto found = connection.module.created.find(index.table);
  if (found == connection.module.created.end()) return;
  const Table& table = *found->second;
  const std::vector<const ColumnView*> columns = indexed_columns(table, index.columns);
  if (columns.empty()) return;
  table.study(*columns[0]).free_indexes([&](const OrderedIndex& built) {
    return std::ranges::any_of(connection.session->indexes, [&](const auto& entry) {
      const Session::Index& listed = entry.second;
      return listed.table == index.table &&
             std::ranges::equal(indexed_columns(table, listed.columns), built.columns());
    });
  });
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
  const Session::Index before =
      std::exchange(indexes[statement.name], {number, statement.index_columns});
  if (!before.table.empty()) free_index(connection, before);
  return {};
}

Result<> drop_index(ConnectionState& connection, const SqlText& sql,
                    const ParsedStatement& statement) {
  auto& indexes = connection.session->indexes;
  const auto found = indexes.find(statement.name);
  if (found == indexes.end())
    return tl::unexpected(
        error_at(sql, ErrorCode::Sql, 0,
                 fmt::format("DROP PERFETTO INDEX: Index '{}' not found", statement.name)));
  const Session::Index dropped = std::move(found->second);
  indexes.erase(found);
  free_index(connection, dropped);
  return {};
}

}  // namespace tracebraid
