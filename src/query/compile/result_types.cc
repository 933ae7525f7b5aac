#include "query/compile/result_types.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "base/words.h"
#include "query/compile/select_text.h"
#include "query/compile/select_types.h"
#include "query/compile/statement.h"
#include "query/functions/function.h"
#include "query/operators/relation_columns.h"

namespace tracebraid {
namespace {

// Reads the texts of all views by their names in lower case. A temporary view hides another one.
ViewTexts read_views(sqlite3* db, bool with_temporary) {
  std::string sql =
      "SELECT lower(name), sql FROM sqlite_schema WHERE type = 'view' AND sql NOTNULL";
  if (with_temporary)
    sql += " UNION ALL SELECT lower(name), sql FROM sqlite_temp_schema WHERE type = 'view'";
  ViewTexts views;
  const StatementPtr statement = prepare(db, sql);
  sqlite3_stmt* const compiled = statement.get();
  if (compiled == nullptr) return views;
  const auto text = [&](int column) {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(compiled, column));
    return std::string(bytes == nullptr ? "" : bytes);
  };
  while (sqlite3_step(compiled) == SQLITE_ROW) views.insert_or_assign(text(0), text(1));
  return views;
}

// Returns whether the statement, or a view that it may read, combines several SELECTs: SQLite then
// reports the columns of only one of them.
bool may_be_compound(const ViewTexts& views, std::string_view sql, std::set<std::string>& seen) {
  for (Token token = first_token(sql); token.kind != TokenKind::End; token = first_token(sql)) {
    sql.remove_prefix(token.text.size());
    for (const char* keyword : {"UNION", "INTERSECT", "EXCEPT"})
      if (is_keyword(token, keyword)) return true;
    std::string_view name = token.text;
    if (token.kind == TokenKind::Quoted && name.size() >= 2) name = name.substr(1, name.size() - 2);
    if (token.kind != TokenKind::Word && token.kind != TokenKind::Quoted) continue;
    const auto view = views.find(in_lower_case(name));
    if (view == views.end() || !seen.insert(view->first).second) continue;
    if (may_be_compound(views, view->second, seen)) return true;
  }
  return false;
}

// Returns the texts of all views. `own` keeps them, if those of the connection are not all.
const ViewTexts& views_of(ConnectionState& connection, ViewTexts& own) {
  if (!connection.is_as_new) return own = read_views(connection.db.get(), true);
  if (connection.views.empty()) connection.views = read_views(connection.db.get(), false);
  return connection.views;
}

struct StoredColumn {
  const Table* table = nullptr;
  const ColumnView* column = nullptr;  // null: the result column is no column of one of our tables
};

StoredColumn stored_column(const ConnectionState& connection, sqlite3_stmt* compiled, int column) {
  const char* table = sqlite3_column_table_name(compiled, column);
  const char* origin = sqlite3_column_origin_name(compiled, column);
  const char* database = sqlite3_column_database_name(compiled, column);
  if (table == nullptr || origin == nullptr || database == nullptr ||
      std::string_view(database) != "main")
    return {};
  const auto found = connection.module.connected.find(in_lower_case(table));
  if (found == connection.module.connected.end()) return {};
  return {found->second, found->second->column(origin)};
}

// Returns the type for a type of the dialect.
DataType declared_type(std::string_view type, DataType text) {
  if (type == "STRING") return text;
  if (type == "DOUBLE") return DataType::Float64;
  if (type == "BYTES") return DataType::Binary;
  return type == "ANY" ? DataType::Unknown : DataType::Int64;
}

// Returns the result that one of our functions declares, for so many arguments.
DataType declared_result(std::span<const SqlFunction> functions, std::string_view name,
                         size_t arguments, DataType text) {
  DataType type = DataType::Unknown;
  const auto look_at = [&](const FunctionSignature& signature) {
    const bool is_it = same_name(signature.name, name) &&
                       (signature.is_variadic || signature.parameters.size() == arguments);
    if (is_it) type = declared_type(signature.result, text);
  };
  for (const SqlFunction& function : functions) look_at(function.signature);
  for (const AggregateFunction& function : aggregate_functions()) look_at(function.signature);
  return type;
}

// Returns the columns of a table. Only those of our own tables have types.
std::optional<TypedColumns> columns_of_table(const ConnectionState& connection,
                                             std::string_view name, DataType text) {
  const StatementPtr statement = prepare(connection.db.get(), "SELECT * FROM " + quoted(name));
  if (statement == nullptr) return std::nullopt;
  TypedColumns columns;
  for (std::string& of : column_names(statement.get())) {
    const StoredColumn from =
        stored_column(connection, statement.get(), static_cast<int>(columns.size()));
    columns.push_back({std::move(of), {}});
    if (from.column != nullptr) columns.back().type = {data_type(from.column->sql_type, text)};
  }
  return columns;
}

const TableFunction* table_function(const ConnectionState& connection, std::string_view name) {
  for (const std::span<const TableFunction> functions :
       {connection.tables->table_functions(),
        std::span<const TableFunction>(connection.session_tables)})
    for (const TableFunction& function : functions)
      if (same_name(function.name, name)) return &function;
  return nullptr;
}

std::optional<TypedColumns> types_by_text(const ConnectionState& connection, const ViewTexts& views,
                                          std::string_view sql, DataType text) {
  const SelectNames catalog{
      .table = [&](auto name) { return columns_of_table(connection, name, text); },
      .view =
          [&](std::string_view name) {
            const auto view = views.find(name);
            return view == views.end() ? std::string() : view->second;
          },
      .table_function = [&](auto name) { return table_function(connection, name); },
      .declared =
          [&](auto name, size_t arguments) {
            return declared_result(connection.functions, name, arguments, text);
          },
      .text = text};
  return select_types(sql, catalog);
}

}  // namespace

void set_declared_types(std::span<const Field> declared, std::vector<Field>& fields) {
  for (const Field& of : declared)
    for (Field& field : fields)
      if (field.name == of.name) field.type = of.type;
}

void describe_column(const ConnectionState& connection, const Table& table,
                     const ColumnView& column, Field& field) {
  if (const ColumnMeaning meaning = connection.tables->column_meaning(); meaning != nullptr)
    field.meaning = meaning(table.view().name, column);
}

std::vector<Field> result_fields(ConnectionState& connection, sqlite3_stmt* compiled,
                                 std::string_view sql, std::span<const std::string> names,
                                 DataType text, TypesOf types) {
  std::vector<Field> fields;
  for (const std::string& name : names) fields.push_back({name, DataType::Unknown});
  if (sqlite3_stmt_isexplain(compiled) != 0) return fields;
  ViewTexts own_views;
  const ViewTexts& views = views_of(connection, own_views);
  std::set<std::string> seen;
  const bool has_origins = !may_be_compound(views, sql, seen);
  for (size_t i = 0; i < fields.size() && has_origins; ++i) {
    const StoredColumn from = stored_column(connection, compiled, static_cast<int>(i));
    if (from.column == nullptr) continue;
    fields[i].type = data_type(from.column->sql_type, text);
    describe_column(connection, *from.table, *from.column, fields[i]);
  }
  const bool is_complete = std::ranges::none_of(
      fields, [](const Field& field) { return field.type == DataType::Unknown; });
  if (is_complete || types == TypesOf::StoredColumns || connection.has_redefined) return fields;
  const std::optional<TypedColumns> typed = types_by_text(connection, views, sql, text);
  if (!typed || typed->size() != fields.size()) return fields;
  for (size_t i = 0; i < fields.size(); ++i) {
    const ValueType& type = (*typed)[i].type;
    const bool is_taken = type.is_certain || types == TypesOf::MostRows;
    if (fields[i].type == DataType::Unknown && is_taken && type.type != DataType::Null)
      fields[i].type = type.type;
  }
  return fields;
}

}  // namespace tracebraid
