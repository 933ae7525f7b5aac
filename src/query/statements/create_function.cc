#include "query/statements/create_function.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/words.h"
#include "query/compile/script.h"
#include "query/compile/select_text.h"
#include "query/statements/create_relation.h"
#include "query/statements/scalar_function.h"
#include "query/statements/session.h"
#include "query/statements/view_function.h"

namespace tracebraid {
namespace {

tl::unexpected<Error> wrong(const SqlText& sql, const std::string& message) {
  return tl::unexpected(error_at(sql, ErrorCode::Sql, 0, message));
}

// Returns "f(x LONG, y STRING)". Requires: the types are known.
std::string prototype_of(const ParsedStatement& statement) {
  std::string text = statement.name + "(";
  for (const DeclaredName& argument : statement.arguments) {
    if (!text.ends_with('(')) text += ", ";
    text += fmt::format("{} {}{}", argument.name, name_of(*dialect_type_of(argument.type)),
                        argument.is_variadic ? "..." : "");
  }
  return text + ")";
}

// Returns the function of the tool with this name that takes this number of arguments (-1: any).
const SqlFunction* find_target(const ConnectionState& connection, std::string_view name) {
  for (const SqlFunction& function : connection.functions)
    if (same_name(function.signature.name, name)) return &function;
  return nullptr;
}

bool is_builtin(const ConnectionState& connection, std::string_view name, int arity) {
  return std::ranges::any_of(connection.functions, [&](const SqlFunction& function) {
    return same_name(function.signature.name, name) && function.signature.arity() == arity;
  });
}

// Returns what is wrong with the types of the declaration; empty if nothing is.
std::string unknown_type(const ParsedStatement& statement) {
  for (const DeclaredName& argument : statement.arguments)
    if (!dialect_type_of(argument.type)) return "Unknown argument type: " + argument.type;
  for (const DeclaredName& column : statement.columns)
    if (!dialect_type_of(column.type)) return "Unknown argument type: " + column.type;
  if (!statement.returns_table && !dialect_type_of(statement.returns.type))
    return "Unknown return type: " + statement.returns.type;
  return {};
}

std::string wrong_variadic(const ParsedStatement& statement) {
  const auto& arguments = statement.arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].is_variadic) continue;
    if (statement.target.empty())
      return "Variadic arguments are only allowed in delegate functions (use DELEGATES TO instead "
             "of AS)";
    if (i + 1 != arguments.size()) return "Variadic argument must be the last argument";
  }
  return {};
}

ScalarFunction scalar_function(const ParsedStatement& statement) {
  ScalarFunction function{.name = statement.name, .parameters = {}, .types = {}, .body = {}};
  for (const DeclaredName& argument : statement.arguments) {
    function.parameters.push_back(argument.name);
    function.types.push_back(*dialect_type_of(argument.type));
    function.is_variadic |= argument.is_variadic;
  }
  return function;
}

ViewFunction view_function(const ParsedStatement& statement) {
  ViewFunction function{
      .name = statement.name, .parameters = {}, .types = {}, .columns = {}, .body = {}};
  for (const DeclaredName& argument : statement.arguments) {
    function.parameters.push_back(argument.name);
    function.types.push_back(*dialect_type_of(argument.type));
  }
  for (const DeclaredName& column : statement.columns)
    function.columns.push_back({column.name, *dialect_type_of(column.type)});
  return function;
}

Result<> create_delegate(ConnectionState& connection, const SqlText& sql,
                         const ParsedStatement& statement) {
  ScalarFunction function = scalar_function(statement);
  function.target = find_target(connection, statement.target);
  if (function.target == nullptr)
    return wrong(sql,
                 fmt::format("Target function '{}' not found in registry. Make sure it has been "
                             "registered as an available function for delegation.",
                             statement.target));
  const int takes = function.target->signature.arity();
  if (takes >= 0 && takes != function.arity())
    return wrong(sql, fmt::format("CREATE PERFETTO FUNCTION[prototype={}]: target function '{}' "
                                  "takes {} arguments",
                                  prototype_of(statement), statement.target, takes));
  if (!statement.replaces &&
      find_scalar_function(connection, statement.name, function.arity()) != nullptr)
    return wrong(sql,
                 fmt::format("CREATE PERFETTO FUNCTION[prototype={}]: function already exists. Use "
                             "CREATE OR REPLACE to overwrite.",
                             prototype_of(statement)));
  if (const Result<> added = add_scalar_function(connection, std::move(function)); !added)
    return wrong(sql, added.error().message);
  return {};
}

// Adds a table function whose body is `body`. The Error has a traceback.
Result<> add_view_function(ConnectionState& connection, const SqlText& sql, ViewFunction function,
                           bool replaces) {
  const auto made = std::make_shared<ViewFunction>(std::move(function));
  Session& session = *connection.session;
  const std::string number = fmt::format("{}", ++session.last_number);
  TB_TRY(check_view_function(connection, *made));
  session.view_functions[number] = made;
  const Result<> created =
      create_virtual_table(connection, made->name, kViewFunctionModule, number, replaces);
  if (created) {
    connection.module.may_have_dropped |= replaces;
    return {};
  }
  made->idle.clear();
  session.view_functions.erase(number);
  return wrong(sql, created.error().message);
}

}  // namespace

Result<> create_function(ConnectionState& connection, const SqlText& sql,
                         const ParsedStatement& statement) {
  for (const std::string& message : {unknown_type(statement), wrong_variadic(statement)})
    if (!message.empty()) return wrong(sql, message);
  if (!statement.target.empty()) return create_delegate(connection, sql, statement);
  const SqlText body = sql.part(statement.body.begin, statement.body.end);
  if (statement.returns_table) {
    ViewFunction function = view_function(statement);
    function.body = body;
    return add_view_function(connection, sql, std::move(function), statement.replaces);
  }
  const int arity = static_cast<int>(statement.arguments.size());
  const bool exists = find_scalar_function(connection, statement.name, arity) != nullptr;
  if (!exists && is_builtin(connection, statement.name, arity))
    return wrong(sql,
                 fmt::format("CREATE PERFETTO FUNCTION[prototype={}]: cannot redefine built-in "
                             "function with the same name and argument count",
                             prototype_of(statement)));
  if (exists && !statement.replaces)
    return wrong(sql, fmt::format("CREATE PERFETTO FUNCTION[prototype={}]: function already exists",
                                  prototype_of(statement)));
  ScalarFunction function = scalar_function(statement);
  function.body = body;
  return add_scalar_function(connection, std::move(function));
}

namespace {

// Parses 'f(x INT)'. The Error is one line.
Result<ParsedStatement> parse_prototype(std::string_view prototype) {
  ParsedStatement statement{.kind = Statement::CreateFunction, .name = {}};
  const size_t open = prototype.find('('), close = prototype.rfind(')');
  if (open == prototype.npos)
    return fail(ErrorCode::Sql, "unable to find bracket starting argument list");
  if (close == prototype.npos || close < open)
    return fail(ErrorCode::Sql, "unable to find bracket ending argument list");
  statement.name = trim_lines(prototype.substr(0, open));
  const bool is_name = !statement.name.empty() && std::ranges::all_of(statement.name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
  });
  if (!is_name)
    return fail(ErrorCode::Sql,
                fmt::format("function name {} is not alphanumeric", statement.name));
  std::string_view list = prototype.substr(open + 1, close - open - 1);
  while (!trim_lines(list).empty()) {
    const size_t comma = list.find(',');
    const std::string_view argument = trim_lines(list.substr(0, comma));
    const auto declared = parse_declarations(argument);
    if (!declared || declared->size() != 1)
      return fail(
          ErrorCode::Sql,
          fmt::format("argument '{}' in function prototype should be of the form `name TYPE`",
                      argument));
    if (!dialect_type_of(declared->front().type))
      return fail(ErrorCode::Sql, fmt::format("unknown argument type in argument '{}'", argument));
    statement.arguments.push_back(declared->front());
    list = comma == list.npos ? std::string_view() : list.substr(comma + 1);
  }
  return statement;
}

// Errors of a nested text have no position in the user's text.
SqlText text_without_source(std::string_view body) {
  const size_t last = body.find_last_not_of(" \t\r\n;");
  return {std::string(body.substr(0, last == body.npos ? body.size() : last + 1)), SourceMap()};
}

}  // namespace

Result<> create_function_of_text(ConnectionState& connection, std::string_view prototype,
                                 std::string_view returns, std::string_view body) {
  TB_TRY_ASSIGN(const ParsedStatement statement, parse_prototype(prototype));
  if (!dialect_type_of(trim_lines(returns)))
    return fail(ErrorCode::Sql, fmt::format("CREATE_FUNCTION: unknown return type {}", returns));
  const int arity = static_cast<int>(statement.arguments.size());
  if (find_scalar_function(connection, statement.name, arity) == nullptr &&
      is_builtin(connection, statement.name, arity))
    return fail(ErrorCode::Sql,
                fmt::format("CREATE_FUNCTION[prototype={}]: cannot redefine built-in "
                            "function with the same name and argument count",
                            prototype_of(statement)));
  ScalarFunction function = scalar_function(statement);
  function.body = text_without_source(body);
  return add_scalar_function(connection, std::move(function));
}

Result<> create_view_function_of_text(ConnectionState& connection, std::string_view prototype,
                                      std::string_view columns, std::string_view body) {
  TB_TRY_ASSIGN(ParsedStatement statement, parse_prototype(prototype));
  auto declared = parse_declarations(columns);
  if (!declared || declared->empty())
    return fail(ErrorCode::Sql,
                fmt::format("CREATE_VIEW_FUNCTION: the columns '{}' should be of the form `name "
                            "TYPE, name TYPE`",
                            columns));
  for (const DeclaredName& column : *declared)
    if (!dialect_type_of(column.type))
      return fail(ErrorCode::Sql,
                  fmt::format("CREATE_VIEW_FUNCTION: unknown return type {}", column.type));
  statement.columns = *std::move(declared);
  ViewFunction function = view_function(statement);
  function.body = text_without_source(body);
  return add_view_function(connection, SqlText(), std::move(function), true);
}

Result<> memoize_function(ConnectionState& connection, std::string_view name) {
  const auto failed = [](const std::string& message) {
    return fail(ErrorCode::Sql, "EXPERIMENTAL_MEMOIZE: " + message);
  };
  if (ScalarSlot* slot = find_scalar_function(connection, name, 1)) {
    ScalarFunction& function = *slot->function;
    if (function.types.size() == 1 && function.types[0] == DialectType::Long) {
      if (function.memo == nullptr)
        function.memo = std::make_unique<Memo>(&connection.operator_memory);
      return {};
    }
  }
  for (const auto& [key, slot] : connection.session->functions)
    if (same_name(key.first, name) && slot->function != nullptr)
      return failed(fmt::format("Function {} should take one int argument", name));
  if (find_target(connection, name) != nullptr)
    return failed(fmt::format("'{}' is a built-in function and cannot be memoized", name));
  return failed(fmt::format("Function '{}'(INT) does not exist", name));
}

}  // namespace tracebraid
