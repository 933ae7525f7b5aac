#include "query/compile/dialect.h"

#include <algorithm>
#include <array>

#include "query/compile/tokens.h"

namespace tracebraid {
namespace {

constexpr struct {
  Statement statement;
  std::string_view name;
} kStatements[] = {
    {Statement::IncludeModule, "INCLUDE PERFETTO MODULE"},
    {Statement::CreateTable, "CREATE PERFETTO TABLE"},
    {Statement::CreateView, "CREATE PERFETTO VIEW"},
    {Statement::CreateFunction, "CREATE PERFETTO FUNCTION"},
    {Statement::CreateMacro, "CREATE PERFETTO MACRO"},
    {Statement::CreateIndex, "CREATE PERFETTO INDEX"},
    {Statement::DropIndex, "DROP PERFETTO INDEX"},
};

// Returns the first tokens without blanks.
std::array<Token, 5> leading_tokens(std::string_view sql) {
  std::array<Token, 5> tokens;
  for (Token& token : tokens) {
    sql = skip_space(sql);
    token = first_token(sql);
    sql.remove_prefix(token.text.size());
  }
  return tokens;
}

}  // namespace

Statement kind_of_statement(std::string_view sql) {
  std::array<Token, 5> tokens = leading_tokens(sql);
  const bool replaces = is_keyword(tokens[0], "CREATE") && is_keyword(tokens[1], "OR") &&
                        is_keyword(tokens[2], "REPLACE");
  if (replaces) std::copy(tokens.begin() + 3, tokens.end(), tokens.begin() + 1);
  if (!is_keyword(tokens[1], "PERFETTO")) return Statement::Sqlite;
  for (const auto& [statement, name] : kStatements) {
    const std::string_view first = name.substr(0, name.find(' '));
    const std::string_view third = name.substr(name.rfind(' ') + 1);
    if (is_keyword(tokens[0], first) && is_keyword(tokens[2], third)) return statement;
  }
  return Statement::Sqlite;
}

std::string_view name_of(Statement statement) {
  for (const auto& entry : kStatements)
    if (entry.statement == statement) return entry.name;
  return "SQL";
}

}  // namespace tracebraid
