// SelectText: the parts of a SELECT, as ranges of its tokens. Parses only plain statements, so that
// no other statement is misread: one SELECT without subqueries, over named tables and calls of
// table functions with inner and left joins, without windows, DISTINCT or quoted names.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "query/compile/outside.h"
#include "query/compile/tokens.h"

namespace tracebraid {

struct ResultItem {
  Tokens expression;
  std::string_view alias;  // empty: no alias
};

struct FromItem {
  Token table;
  std::string_view name;  // the alias, or the name of the table
  bool is_call = false;   // of a table function
  Tokens arguments;       // of the call
  Tokens text;            // the whole item, with the JOIN or comma before it
  bool is_left_joined = false;
  Tokens on;                                    // empty without ON
  std::vector<std::string_view> using_columns;  // empty without USING
};

struct SelectText {
  std::vector<Token> tokens;  // all other members point into it
  std::vector<ResultItem> items;
  std::vector<FromItem> from;
  Tokens where;  // this and the following are empty if the clause is missing
  std::vector<Tokens> group_by;
  Tokens having;
  std::vector<Tokens> order_by;
  bool has_limit = false;
};

// Parses `expression AS name` or `expression name`. Returns nothing for `*`.
std::optional<ResultItem> parse_result_item(Tokens tokens);

// Parses text that SQLite has compiled. Returns nothing for a statement of another form.
std::optional<SelectText> parse_select(std::string_view sql);

// Splits at `separator` (a symbol or keyword), outside of parentheses and CASE.
std::vector<Tokens> split(Tokens tokens, std::string_view separator);
// Splits a condition at AND, except the AND of BETWEEN. Does not split a condition with OR.
std::vector<Tokens> conjuncts(Tokens condition);

// `process.name`, or `name` without a table.
struct ColumnName {
  std::string_view table, column;
};
// extract_arg(arg_set_id, 'key'): a call with a column and constants.
struct ColumnCall {
  std::string_view function;
  ColumnName column;
  std::vector<Token> constants;  // numbers and texts
};
struct AggregateCall {
  Tokens call;                         // count ( dur )
  std::string_view function;           // in the spelling of the text
  std::optional<ColumnName> argument;  // none for count(*)
  std::optional<ColumnCall> computed;  // instead of `argument`
};
// The columns that an expression reads, except those inside aggregates.
struct Expression {
  std::vector<ColumnName> columns;
  std::vector<AggregateCall> aggregates;
};
// Returns nothing if the expression may depend on anything else.
std::optional<Expression> parse_expression(Tokens tokens);
// Returns the column, if the expression is a single column.
std::optional<ColumnName> parse_column(Tokens tokens);

// Compares names of tables, columns or functions, ignoring case.
bool same_name(std::string_view a, std::string_view b);

}  // namespace tracebraid
