#include "query/compile/result_types.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "base/words.h"
#include "query/compile/select_names.h"
#include "query/compile/statement.h"
#include "query/compile/token_list.h"
#include "query/functions/function.h"

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

bool may_be_compound(ConnectionState& connection, std::string_view sql) {
  std::set<std::string> seen;
  if (!connection.is_as_new)
    return may_be_compound(read_views(connection.db.get(), true), sql, seen);
  if (connection.views.empty()) connection.views = read_views(connection.db.get(), false);
  return may_be_compound(connection.views, sql, seen);
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

bool is_symbol(const Token& token, std::string_view symbol) {
  return token.kind == TokenKind::Symbol && token.text == symbol;
}

// Calls `visit` for each token outside of parentheses and CASE.
template <class Visit>
void for_each_outside(Tokens tokens, Visit visit) {
  int depth = 0;
  for (const Token& token : tokens) {
    if (is_symbol(token, ")") || is_keyword(token, "END")) --depth;
    if (depth == 0) visit(token);
    if (is_symbol(token, "(") || is_keyword(token, "CASE")) ++depth;
  }
}

bool is_comparison(const Token& token) {
  for (const char* symbol : {"=", "==", "!=", "<>", "<", "<=", ">", ">="})
    if (is_symbol(token, symbol)) return true;
  for (const char* word :
       {"AND", "OR", "NOT", "IS", "IN", "LIKE", "GLOB", "BETWEEN", "ISNULL", "NOTNULL"})
    if (is_keyword(token, word)) return true;
  return false;
}

DataType literal_type(const Token& token, DataType text) {
  if (token.kind == TokenKind::Quoted)
    return token.text[0] == '\''                          ? text
           : token.text[0] == 'x' || token.text[0] == 'X' ? DataType::Binary
                                                          : DataType::Unknown;
  if (token.kind != TokenKind::Number) return DataType::Unknown;
  constexpr size_t kSurelyFits = 18;  // digits
  const bool is_whole = std::ranges::all_of(token.text, is_digit);
  if (is_whole) return token.text.size() <= kSurelyFits ? DataType::Int64 : DataType::Unknown;
  return token.text.find_first_of("xX") == std::string_view::npos ? DataType::Float64
                                                                  : DataType::Int64;
}

// Parses CAST ( ... AS type ).
DataType cast_type(Tokens tokens, DataType text) {
  const Token& type = tokens[tokens.size() - 2];
  if (!is_keyword(tokens[tokens.size() - 3], "AS")) return DataType::Unknown;
  for (const char* name : {"INTEGER", "INT", "BIGINT"})
    if (is_keyword(type, name)) return DataType::Int64;
  for (const char* name : {"REAL", "DOUBLE", "FLOAT"})
    if (is_keyword(type, name)) return DataType::Float64;
  if (is_keyword(type, "TEXT")) return text;
  return is_keyword(type, "BLOB") ? DataType::Binary : DataType::Unknown;
}

DataType aggregate_type(const AggregateCall& call, std::span<const SourceTable> sources,
                        DataType text) {
  if (same_name(call.function, "count")) return DataType::Int64;
  if (same_name(call.function, "total") || same_name(call.function, "avg"))
    return DataType::Float64;
  const std::optional<ColumnRef> column =
      call.argument ? resolve(sources, *call.argument) : std::nullopt;
  if (!column || column->column->column == nullptr) return DataType::Unknown;
  const SqlType type = column->column->column->sql_type;
  if (same_name(call.function, "sum") && type == SqlType::Text) return DataType::Unknown;
  return data_type(type, text);
}

// Returns the type for a type of the dialect.
DataType declared_type(std::string_view type, DataType text) {
  if (type == "STRING") return text;
  if (type == "DOUBLE") return DataType::Float64;
  if (type == "BYTES") return DataType::Binary;
  return type == "ANY" ? DataType::Unknown : DataType::Int64;
}

// Returns the declared result type of `f(a, b)`, one of our functions.
DataType call_type(Tokens tokens, std::span<const SqlFunction> functions, DataType text) {
  const bool is_call = tokens.size() > 2 && tokens[0].kind == TokenKind::Word &&
                       is_symbol(tokens[1], "(") && is_symbol(tokens.back(), ")");
  if (!is_call) return DataType::Unknown;
  int arguments = tokens.size() == 3 ? 0 : 1;
  for_each_outside(tokens.subspan(2, tokens.size() - 3),
                   [&](const Token& token) { arguments += is_symbol(token, ",") ? 1 : 0; });
  DataType type = DataType::Unknown;
  const auto look_at = [&](const FunctionSignature& signature) {
    const bool is_it = same_name(signature.name, tokens[0].text) &&
                       (signature.is_variadic || signature.arity() == arguments);
    if (is_it) type = declared_type(signature.result, text);
  };
  for (const SqlFunction& function : functions) look_at(function.signature);
  for (const AggregateFunction& function : aggregate_functions()) look_at(function.signature);
  return type;
}

DataType expression_type(Tokens tokens, std::span<const SourceTable> sources,
                         std::span<const SqlFunction> functions, DataType text) {
  if (tokens.empty()) return DataType::Unknown;
  if (tokens.size() == 1) return literal_type(tokens[0], text);
  bool compares = false, joins = false, other = false;
  for_each_outside(tokens, [&](const Token& token) {
    compares |= is_comparison(token);
    joins |= is_symbol(token, "||");
    for (const char* symbol : {"+", "-", "*", "/", "%", "&", "|", "<<", ">>", "->", "->>", "~"})
      other |= is_symbol(token, symbol);
    other |= is_keyword(token, "COLLATE") || is_keyword(token, "OVER") ||
             is_keyword(token, "FILTER") || is_keyword(token, "CASE");
  });
  if (compares) return DataType::Int64;
  if (other) return DataType::Unknown;
  if (joins) return text;
  const bool is_cast = tokens.size() > 4 && is_keyword(tokens[0], "CAST") &&
                       is_symbol(tokens[1], "(") && is_symbol(tokens.back(), ")");
  if (is_cast) return cast_type(tokens, text);
  if (const DataType type = call_type(tokens, functions, text); type != DataType::Unknown)
    return type;
  const std::optional<Expression> read = parse_expression(tokens);
  if (!read || read->aggregates.size() != 1 || !read->columns.empty() ||
      read->aggregates[0].call.size() != tokens.size())
    return DataType::Unknown;
  return aggregate_type(read->aggregates[0], sources, text);
}

// A statement without its clause WITH, and the names that the clause defines, in lower case.
struct WithoutWith {
  std::string_view select;
  std::set<std::string> names;
};

// Reads WITH [RECURSIVE] name [(columns)] AS [[NOT] MATERIALIZED] (...), ... SELECT.
WithoutWith without_with(std::string_view sql) {
  if (!is_keyword(first_token(skip_space(sql)), "WITH")) return {sql, {}};
  const TokenList list = token_list(sql);
  const auto is_word = [&](size_t at, std::string_view upper) {
    return is_keyword(list.token(at), upper);
  };
  const auto behind_brackets = [&](size_t at) {
    const bool is_open = list.is(at, "(") && list.tokens[at].partner != kNoToken;
    return is_open ? list.tokens[at].partner + 1 : at;
  };
  WithoutWith found;
  for (size_t at = is_word(1, "RECURSIVE") ? 2 : 1; at < list.tokens.size(); ++at) {
    if (list.token(at).kind != TokenKind::Word) break;  // a quoted name, for example
    found.names.insert(in_lower_case(list.token(at).text));
    at = behind_brackets(at + 1);
    if (!is_word(at++, "AS")) break;
    if (is_word(at, "NOT")) ++at;
    if (is_word(at, "MATERIALIZED")) ++at;
    const size_t end = behind_brackets(at);
    if (end == at) break;
    at = end;
    if (list.is(at, ",")) continue;
    if (at < list.tokens.size()) found.select = sql.substr(list.tokens[at].begin);
    return found;
  }
  return {};
}

}  // namespace

DataType data_type(SqlType type, DataType text) {
  switch (type) {
    case SqlType::Integer:
      return DataType::Int64;
    case SqlType::Real:
      return DataType::Float64;
    case SqlType::Text:
      break;
  }
  return text;
}

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
                                 DataType text) {
  std::vector<Field> fields;
  for (const std::string& name : names) fields.push_back({name, DataType::Unknown});
  if (sqlite3_stmt_isexplain(compiled) != 0) return fields;
  const WithoutWith main = without_with(sql);
  if (may_be_compound(connection, main.select)) return fields;
  const bool has_origins = main.select == sql || !may_be_compound(connection, sql);
  for (size_t i = 0; i < fields.size() && has_origins; ++i) {
    const StoredColumn from = stored_column(connection, compiled, static_cast<int>(i));
    if (from.column == nullptr) continue;
    fields[i].type = data_type(from.column->sql_type, text);
    describe_column(connection, *from.table, *from.column, fields[i]);
  }
  const std::optional<SelectText> select = parse_select(main.select);
  if (!select || select->items.size() != fields.size() || connection.has_redefined) return fields;
  const std::optional<std::vector<SourceTable>> sources =
      sources_of(*select, [&, relations = connection.relations()](std::string_view name) {
        return main.names.contains(in_lower_case(name)) ? std::nullopt : relations(name);
      });
  for (size_t i = 0; i < fields.size(); ++i)
    if (fields[i].type == DataType::Unknown)
      fields[i].type = expression_type(
          select->items[i].expression,
          sources ? std::span<const SourceTable>(*sources) : std::span<const SourceTable>(),
          connection.functions, text);
  return fields;
}

}  // namespace tracebraid
