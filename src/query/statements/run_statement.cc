#include "query/statements/run_statement.h"

#include <fmt/core.h>

#include <algorithm>

#include "query/compile/script.h"
#include "query/macros/macro.h"
#include "query/statements/create_function.h"
#include "query/statements/create_relation.h"
#include "query/statements/include.h"
#include "query/statements/index.h"
#include "query/statements/parse.h"
#include "query/statements/session.h"

namespace tracebraid {
namespace {

Result<> create_macro(ConnectionState& connection, const SqlText& sql,
                      const ParsedStatement& statement) {
  const auto wrong = [&](size_t at, const std::string& message) {
    return tl::unexpected(error_at(sql, ErrorCode::Sql, at, message));
  };
  for (const DeclaredName& argument : statement.arguments)
    if (!is_macro_type(argument.type))
      return wrong(argument.type_at,
                   fmt::format("Macro '{}' argument '{}' is unknown type '{}'. Allowed types: {}",
                               statement.name, argument.name, argument.type, macro_type_names()));
  if (!is_macro_type(statement.returns.type))
    return wrong(statement.returns.type_at,
                 fmt::format("Macro {} return type {} is unknown. Allowed types: {}",
                             statement.name, statement.returns.type, macro_type_names()));
  const bool exists = connection.macros.contains(statement.name);
  if (is_builtin_macro(statement.name) || (exists && !statement.replaces))
    return wrong(statement.name_at, "Macro already exists");
  // The text of the statement is unchanged: a macro's own macros are expanded with its calls.
  const size_t begin = sql.map.place(statement.body.begin).offset;
  const size_t end = begin + (statement.body.end - statement.body.begin);
  Macro macro{.name = statement.name,
              .parameters = {},
              .source = sql.map.frames()[0].source,
              .begin = begin,
              .end = end,
              .tokens = {}};
  for (const DeclaredName& argument : statement.arguments)
    macro.parameters.push_back(argument.name);
  macro.tokens = token_list(std::string_view(macro.source->text).substr(begin, end - begin));
  connection.macros.insert_or_assign(statement.name, std::move(macro));
  return {};
}

Result<> run_parsed(ConnectionState& connection, const SqlText& sql,
                    const ParsedStatement& statement) {
  switch (statement.kind) {
    case Statement::Sqlite:
      break;
    case Statement::IncludeModule:
      return include(connection, sql, statement.name);
    case Statement::CreateTable:
      return create_table(connection, sql, statement);
    case Statement::CreateView:
      return create_view(connection, sql, statement);
    case Statement::CreateFunction:
      return create_function(connection, sql, statement);
    case Statement::CreateMacro:
      return create_macro(connection, sql, statement);
    case Statement::CreateIndex:
      return create_index(connection, sql, statement);
    case Statement::DropIndex:
      return drop_index(connection, sql, statement);
  }
  return {};
}

}  // namespace

Result<> run_statement(ConnectionState& connection, const SqlText& sql, Statement kind) {
  const TokenList tokens = token_list(sql.text);
  const auto parsed = parse_statement(tokens, kind);
  if (!parsed)
    return tl::unexpected(error_at(sql, ErrorCode::Sql, parsed.error().at, parsed.error().message));
  if (connection.module.may_have_dropped) free_dropped_tables(connection);
  connection.is_as_new = false;
  if (kind != Statement::CreateMacro && kind != Statement::IncludeModule) before_change(connection);
  return run_parsed(connection, sql, *parsed);
}

}  // namespace tracebraid
