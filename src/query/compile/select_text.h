// The parts of a SELECT, as ranges of its tokens. Only statements of a plain shape are taken
// apart, so that nothing else is ever misread: one SELECT without subqueries, over named tables
// that are joined by inner and left joins, without windows, DISTINCT or quoted names.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "query/compile/tokens.h"

namespace tracebraid {

using Tokens = std::span<const Token>;  // without blanks

struct ResultItem {
  Tokens expression;
  std::string_view alias;  // empty: it has none
};

struct FromItem {
  Token table;
  std::string_view name;  // the alias, or the table's name
  bool is_left_joined = false;
  Tokens on;                                    // empty: there is none
  std::vector<std::string_view> using_columns;  // empty: there are none
};

struct SelectText {
  std::vector<Token> tokens;  // all others point into this
  std::vector<ResultItem> items;
  std::vector<FromItem> from;
  Tokens where;  // these are empty if there is no such clause
  std::vector<Tokens> group_by;
  Tokens having;
  std::vector<Tokens> order_by;
  bool has_limit = false;
};

// `sql` is text that SQLite has compiled. Nothing: it has another shape.
std::optional<SelectText> parse_select(std::string_view sql);

// What `separator` (a symbol or keyword) stands between, outside of parentheses and CASE.
std::vector<Tokens> split(Tokens tokens, std::string_view separator);
// The conditions that AND joins; the AND of BETWEEN is none. All of it is one, if there is an OR.
std::vector<Tokens> conjuncts(Tokens condition);

// `process.name`, or `name` with no table.
struct ColumnName {
  std::string_view table, column;
};
struct AggregateCall {
  Tokens call;                         // count ( dur )
  std::string_view function;           // as it is written
  std::optional<ColumnName> argument;  // none: count(*)
};
// What an expression reads. Aggregates are not looked into.
struct Expression {
  std::vector<ColumnName> columns;
  std::vector<AggregateCall> aggregates;
};
// Nothing: there is something in it that is not known to be a function of these alone.
std::optional<Expression> parse_expression(Tokens tokens);
// The column, if the expression is nothing else.
std::optional<ColumnName> parse_column(Tokens tokens);

// Names of tables, columns and functions are the same in upper and lower case.
bool same_name(std::string_view a, std::string_view b);

}  // namespace tracebraid
