#include "query/compile/select_text.h"

#include <algorithm>

#include "base/words.h"

namespace tracebraid {
namespace {

bool is_text(const Token& token) {
  return token.kind == TokenKind::Quoted &&
         (token.text[0] == '\'' || token.text[0] == 'x' || token.text[0] == 'X');
}

constexpr std::string_view kClauses[] = {"FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT"};
constexpr std::string_view kInExpressions[] = {
    "AND",  "OR",   "NOT",     "IS",   "NULL", "ISNULL", "NOTNULL", "IN",
    "LIKE", "GLOB", "BETWEEN", "CASE", "WHEN", "THEN",   "ELSE",    "END"};
constexpr std::string_view kInJoins[] = {"JOIN", "LEFT",  "INNER", "CROSS", "OUTER",   "NATURAL",
                                         "ON",   "USING", "RIGHT", "FULL",  "INDEXED", "NOT"};
// Row numbers differ in the table that replaces a grouped table.
constexpr std::string_view kRowNumbers[] = {"ROWID", "OID", "_ROWID_"};
// Functions that depend on their arguments only; also MIN and MAX with several arguments.
constexpr std::string_view kFunctions[] = {
    "ABS",   "ROUND",  "COALESCE",    "IFNULL",      "NULLIF",    "IIF",      "LOWER",
    "UPPER", "LENGTH", "SUBSTR",      "INSTR",       "REPLACE",   "PRINTF",   "FORMAT",
    "TRIM",  "CAST",   "EXTRACT_ARG", "TRACE_START", "TRACE_END", "TRACE_DUR"};
constexpr std::string_view kAggregates[] = {"COUNT", "SUM", "TOTAL", "AVG", "MIN", "MAX"};

// Takes tokens off the front, clause by clause.
struct Reader : TokenReader {
  // Returns nothing if the next token is no bare word, or a word of a join or clause.
  std::optional<Token> take_name() {
    const bool is_name = !left.empty() && left[0].kind == TokenKind::Word &&
                         !is_one_of(left[0], kClauses) && !is_one_of(left[0], kInJoins);
    if (!is_name) return std::nullopt;
    const Token name = left[0];
    left = left.subspan(1);
    return name;
  }
  // Takes the tokens up to the next clause.
  Tokens take_clause() {
    return take_first(
        find_outside(left, 0, [](const Token& token) { return is_one_of(token, kClauses); }));
  }
};

bool read_constraint(Reader& reader, FromItem& item) {
  if (reader.take("ON")) {
    item.on = reader.take_first(find_outside(reader.left, 0, [](const Token& token) {
      // NOT and LEFT(...) would belong to the condition.
      return is_symbol(token, ",") || is_one_of(token, kClauses) ||
             (is_one_of(token, kInJoins) && !is_keyword(token, "NOT"));
    }));
    return !item.on.empty();
  }
  if (!reader.take("USING")) return true;
  const auto close =
      std::ranges::find_if(reader.left, [](const Token& token) { return is_symbol(token, ")"); });
  if (close == reader.left.end() || !is_symbol(reader.left[0], "(")) return false;
  const Tokens list =
      reader.take_first(static_cast<size_t>(close - reader.left.begin()) + 1).subspan(1);
  for (const Token& token : list.first(list.size() - 1)) {
    if (is_symbol(token, ",")) continue;
    if (token.kind != TokenKind::Word) return false;
    item.using_columns.push_back(token.text);
  }
  return true;
}

// Parses the arguments of a table function.
bool read_arguments(Reader& reader, FromItem& item) {
  if (reader.left.empty() || !is_symbol(reader.left[0], "(")) return true;
  item.is_call = true;
  reader.left = reader.left.subspan(1);
  item.arguments = reader.take_first(
      find_outside(reader.left, 0, [](const Token& token) { return is_symbol(token, ")"); }));
  if (reader.left.empty()) return false;
  reader.left = reader.left.subspan(1);
  return true;
}

// Parses `thread_state AS s` and its join condition.
bool read_table(Reader& reader, FromItem& item) {
  const std::optional<Token> table = reader.take_name();
  if (!table) return false;
  item.table = *table;
  item.name = table->text;
  if (!read_arguments(reader, item)) return false;
  const bool has_as = reader.take("AS");
  const std::optional<Token> alias = reader.take_name();
  if (alias) item.name = alias->text;
  return (alias || !has_as) && read_constraint(reader, item);
}

bool read_from(Reader& reader, std::vector<FromItem>& from) {
  const auto whole = [&](Tokens before) {
    return before.first(before.size() - reader.left.size());
  };
  const Tokens first = reader.left;
  if (!read_table(reader, from.emplace_back())) return false;
  from.back().text = whole(first);
  while (!reader.left.empty() && !is_one_of(reader.left[0], kClauses)) {
    const Tokens before = reader.left;
    FromItem& item = from.emplace_back();
    if (is_symbol(reader.left[0], ",")) {
      reader.left = reader.left.subspan(1);
    } else {
      item.is_left_joined = reader.take("LEFT");
      if (item.is_left_joined)
        reader.take("OUTER");
      else
        reader.take("INNER");
      if (!reader.take("JOIN")) return false;
    }
    if (!read_table(reader, item)) return false;
    item.text = whole(before);
  }
  return true;
}

bool read_items(Reader& reader, std::vector<ResultItem>& items) {
  for (const Tokens tokens : split(reader.take_clause(), ",")) {
    const std::optional<ResultItem> item = parse_result_item(tokens);
    if (!item) return false;
    items.push_back(*item);
  }
  return true;
}

// Reads the list after `keyword` BY, if it is next.
bool read_list(Reader& reader, std::string_view keyword, std::vector<Tokens>& list) {
  if (!reader.take(keyword)) return true;
  if (!reader.take("BY")) return false;
  list = split(reader.take_clause(), ",");
  return true;
}

bool read_limit(Reader& reader, SelectText& select) {
  select.has_limit = reader.take("LIMIT");
  if (!select.has_limit) return true;
  return std::ranges::all_of(reader.take_clause(), [](const Token& token) {
    return token.kind == TokenKind::Number || token.kind == TokenKind::Variable ||
           is_symbol(token, "-") || is_symbol(token, ",") || is_keyword(token, "OFFSET");
  });
}

bool read_select(Reader reader, SelectText& select) {
  if (!reader.take("SELECT") || reader.take("DISTINCT") || reader.take("ALL")) return false;
  if (!read_items(reader, select.items)) return false;
  if (!reader.take("FROM") || !read_from(reader, select.from)) return false;
  if (reader.take("WHERE")) select.where = reader.take_clause();
  if (!read_list(reader, "GROUP", select.group_by)) return false;
  if (reader.take("HAVING")) select.having = reader.take_clause();
  return read_list(reader, "ORDER", select.order_by) && read_limit(reader, select) &&
         reader.left.empty();
}

bool is_known_word(const Token& token) { return is_one_of(token, kInExpressions); }

// Parses `name` or `table.name` at the start. Returns nothing for other tokens.
std::optional<ColumnName> column_at(Tokens tokens, size_t& length) {
  const auto is_name = [](const Token& token) {
    return token.kind == TokenKind::Word && !is_known_word(token) && !is_one_of(token, kRowNumbers);
  };
  if (tokens.empty() || !is_name(tokens[0])) return std::nullopt;
  const bool is_qualified = tokens.size() > 1 && is_symbol(tokens[1], ".");
  if (!is_qualified) {
    length = 1;
    return ColumnName{{}, tokens[0].text};
  }
  if (tokens.size() < 3 || !is_name(tokens[2])) return std::nullopt;
  length = 3;
  return ColumnName{tokens[0].text, tokens[2].text};
}

// Parses `function(column, constant ...)`.
std::optional<ColumnCall> column_call(Tokens tokens) {
  constexpr size_t kFewest = 4;
  if (tokens.size() < kFewest || tokens[0].kind != TokenKind::Word || !is_symbol(tokens[1], "(") ||
      !is_symbol(tokens.back(), ")"))
    return std::nullopt;
  const std::vector<Tokens> arguments = split(tokens.subspan(2, tokens.size() - 3), ",");
  const std::optional<ColumnName> column = parse_column(arguments[0]);
  if (!column) return std::nullopt;
  ColumnCall call{tokens[0].text, *column, {}};
  for (const Tokens argument : std::span(arguments).subspan(1)) {
    const bool is_constant = argument.size() == 1 && (argument[0].kind == TokenKind::Number ||
                                                      argument[0].text.starts_with('\''));
    if (!is_constant) return std::nullopt;
    call.constants.push_back(argument[0]);
  }
  return call;
}

// Parses `function(column)`, `function(call)`, `count(*)` or `count()` at the start.
std::optional<AggregateCall> aggregate_at(Tokens tokens) {
  const size_t close =
      find_outside(tokens, 2, [](const Token& token) { return is_symbol(token, ")"); });
  if (close >= tokens.size()) return std::nullopt;
  const Tokens argument = tokens.subspan(2, close - 2);
  AggregateCall call{tokens.first(close + 1), tokens[0].text, std::nullopt, std::nullopt};
  const bool is_star = argument.empty() || (argument.size() == 1 && is_symbol(argument[0], "*"));
  if (is_star) return is_keyword(tokens[0], "COUNT") ? std::optional(call) : std::nullopt;
  call.argument = parse_column(argument);
  if (!call.argument) call.computed = column_call(argument);
  return call.argument || call.computed ? std::optional(call) : std::nullopt;
}

// Returns whether the call at the start has several arguments.
bool has_several_arguments(Tokens tokens) {
  const auto is_end = [](const Token& token) {
    return is_symbol(token, ",") || is_symbol(token, ")");
  };
  const size_t end = find_outside(tokens, 2, is_end);
  return end < tokens.size() && is_symbol(tokens[end], ",");
}

// Reads the word at the start of `tokens` and its operands. Returns the number of tokens; 0 for an
// unknown word.
size_t read_word(Tokens tokens, Expression& expression) {
  if (is_known_word(tokens[0])) return 1;
  const bool is_call = tokens.size() > 1 && is_symbol(tokens[1], "(");
  if (is_call) {
    const bool is_min_max = is_keyword(tokens[0], "MIN") || is_keyword(tokens[0], "MAX");
    if (is_one_of(tokens[0], kFunctions) || (is_min_max && has_several_arguments(tokens))) return 1;
    if (!is_one_of(tokens[0], kAggregates)) return 0;
    const std::optional<AggregateCall> call = aggregate_at(tokens);
    if (!call) return 0;
    expression.aggregates.push_back(*call);
    return call->call.size();
  }
  // Skips the type in CAST(x AS type).
  if (is_keyword(tokens[0], "AS"))
    return tokens.size() > 2 && tokens[1].kind == TokenKind::Word && is_symbol(tokens[2], ")") ? 2
                                                                                               : 0;
  size_t length = 0;
  const std::optional<ColumnName> column = column_at(tokens, length);
  if (!column) return 0;
  expression.columns.push_back(*column);
  return length;
}

}  // namespace

std::vector<Tokens> split(Tokens tokens, std::string_view separator) {
  std::vector<Tokens> parts;
  for (;;) {
    const size_t end = find_outside(tokens, 0, [&](const Token& token) {
      return is_symbol(token, separator) || is_keyword(token, separator);
    });
    parts.push_back(tokens.first(end));
    if (end == tokens.size()) return parts;
    tokens = tokens.subspan(end + 1);
  }
}

std::vector<Tokens> conjuncts(Tokens condition) {
  const auto is_or = [](const Token& token) { return is_keyword(token, "OR"); };
  if (find_outside(condition, 0, is_or) < condition.size()) return {condition};
  std::vector<Tokens> parts = split(condition, "AND");
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    const auto is_between = [](const Token& token) { return is_keyword(token, "BETWEEN"); };
    if (find_outside(parts[i], 0, is_between) == parts[i].size()) continue;
    parts[i] = Tokens(parts[i].data(), parts[i].size() + 1 + parts[i + 1].size());
    parts.erase(parts.begin() + static_cast<ptrdiff_t>(i) + 1);
  }
  return parts;
}

std::optional<ResultItem> parse_result_item(Tokens tokens) {
  if (tokens.empty() || is_symbol(tokens[0], "*")) return std::nullopt;
  const auto name_of = [](const Token& token) {
    const bool is_quoted = token.kind == TokenKind::Quoted;
    return is_quoted ? token.text.substr(1, token.text.size() - 2) : token.text;
  };
  const size_t as =
      find_outside(tokens, 0, [](const Token& token) { return is_keyword(token, "AS"); });
  if (as < tokens.size()) {
    if (as == 0 || as + 2 != tokens.size()) return std::nullopt;
    return ResultItem{tokens.first(as), name_of(tokens.back())};
  }
  if (tokens.size() < 2) return ResultItem{tokens, {}};
  const Token& before = tokens[tokens.size() - 2];
  const bool ends_before = (before.kind != TokenKind::Symbol || before.text == ")") &&
                           !is_one_of(before, kInExpressions);
  const bool ends_case = is_keyword(before, "END") && !is_keyword(tokens.back(), "END");
  const bool names =
      tokens.back().kind == TokenKind::Word && !is_one_of(tokens.back(), kInExpressions);
  if (names && (ends_before || ends_case))
    return ResultItem{tokens.first(tokens.size() - 1), tokens.back().text};
  return ResultItem{tokens, {}};
}

std::optional<SelectText> parse_select(std::string_view sql) {
  constexpr size_t kLongest = 100'000;  // longer statements are not written by hand
  if (sql.size() > kLongest || !is_keyword(first_token(skip_space(sql)), "SELECT"))
    return std::nullopt;
  SelectText select;
  select.tokens = tokens_of(sql);
  if (!read_select({select.tokens}, select)) return std::nullopt;
  return select;
}

std::optional<Expression> parse_expression(Tokens tokens) {
  Expression expression;
  while (!tokens.empty()) {
    const Token& token = tokens[0];
    size_t length = 1;
    if (token.kind == TokenKind::Word)
      length = read_word(tokens, expression);
    else if (token.kind != TokenKind::Number && token.kind != TokenKind::Symbol &&
             token.kind != TokenKind::Variable && !is_text(token))
      length = 0;
    if (length == 0) return std::nullopt;
    tokens = tokens.subspan(length);
  }
  return expression;
}

std::optional<ColumnName> parse_column(Tokens tokens) {
  size_t length = 0;
  const std::optional<ColumnName> column = column_at(tokens, length);
  return length == tokens.size() ? column : std::nullopt;
}

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower_case, lower_case);
}

}  // namespace tracebraid
