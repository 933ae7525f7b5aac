#include "query/compile/filter_text.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <optional>

namespace tracebraid {
namespace {

struct Comparison {
  std::string_view symbol;
  Op op, mirrored;
};
constexpr Comparison kComparisons[] = {
    {"=", Op::Eq, Op::Eq}, {"==", Op::Eq, Op::Eq}, {"!=", Op::Ne, Op::Ne}, {"<>", Op::Ne, Op::Ne},
    {"<", Op::Lt, Op::Gt}, {"<=", Op::Le, Op::Ge}, {">", Op::Gt, Op::Lt},  {">=", Op::Ge, Op::Le}};

const Comparison* comparison_of(Tokens tokens) {
  if (tokens.size() != 1 || tokens[0].kind != TokenKind::Symbol) return nullptr;
  const auto* found = std::ranges::find(kComparisons, tokens[0].text, &Comparison::symbol);
  return found == std::end(kComparisons) ? nullptr : found;
}

// Returns whether the tokens compute a number from numbers and the bounds of the trace.
bool is_arithmetic(Tokens tokens) {
  constexpr std::string_view kOperators = "+-*/%()";
  constexpr std::string_view kBounds[] = {"TRACE_START", "TRACE_END", "TRACE_DUR"};
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    const bool is_operator = token.kind == TokenKind::Symbol && token.text.size() == 1 &&
                             kOperators.find(token.text) != std::string_view::npos;
    if (is_operator || token.kind == TokenKind::Number) continue;
    const bool is_bound =
        std::ranges::any_of(kBounds, [&](auto name) { return is_keyword(token, name); }) &&
        i + 2 < tokens.size() && tokens[i + 1].text == "(" && tokens[i + 2].text == ")";
    if (!is_bound) return false;
    i += 2;
  }
  return true;
}

std::optional<Literal> literal_of(Tokens tokens, std::span<const Cell> values) {
  if (tokens.empty()) return std::nullopt;
  const Token& last = tokens.back();
  if (tokens.size() == 1 && last.kind == TokenKind::Variable) {
    const Cell* value = value_of(last, values);
    const bool is_constant =
        value != nullptr && value->kind != Cell::Kind::Null && value->kind != Cell::Kind::Blob;
    if (!is_constant) return std::nullopt;
    return Literal{std::string(last.text), value->kind == Cell::Kind::Text};
  }
  if (tokens.size() == 1 && last.kind == TokenKind::Quoted && last.text[0] == '\'')
    return Literal{std::string(last.text), true};
  if (!is_arithmetic(tokens)) return std::nullopt;
  Literal literal;
  for (const Token& token : tokens)
    literal.sql.append(literal.sql.empty() ? "" : " ").append(token.text);
  return literal;
}

bool are_keywords(Tokens tokens, std::initializer_list<std::string_view> keywords) {
  return std::ranges::equal(tokens, keywords, is_keyword);
}

// Parses `5 < column`: the last tokens are the column.
std::vector<FilterText> parse_mirrored(Tokens condition, std::span<const Cell> values) {
  const bool is_qualified = condition.size() > 3 && condition[condition.size() - 2].text == ".";
  const size_t length = is_qualified ? 3 : 1;
  if (condition.size() < length + 2) return {};
  const std::optional<ColumnName> column = parse_column(condition.last(length));
  const Tokens rest = condition.first(condition.size() - length);
  const Comparison* comparison = comparison_of(rest.last(1));
  const std::optional<Literal> literal = literal_of(rest.first(rest.size() - 1), values);
  if (!column || comparison == nullptr || !literal) return {};
  return {{*column, comparison->mirrored, {*literal}}};
}

// Parses `BETWEEN 1 AND 2`, without the first word.
std::vector<FilterText> parse_between(const ColumnName& column, Tokens bounds,
                                      std::span<const Cell> values) {
  const std::vector<Tokens> parts = split(bounds, "AND");
  if (parts.size() != 2) return {};
  const std::optional<Literal> low = literal_of(parts[0], values),
                               high = literal_of(parts[1], values);
  if (!low || !high) return {};
  return {{column, Op::Ge, {*low}}, {column, Op::Le, {*high}}};
}

// Parses `(1, 2)`.
std::vector<FilterText> parse_list(const ColumnName& column, Tokens list,
                                   std::span<const Cell> values) {
  if (list.size() < 3 || list.front().text != "(" || list.back().text != ")") return {};
  FilterText filter{column, Op::In, {}};
  for (const Tokens element : split(list.subspan(1, list.size() - 2), ",")) {
    const std::optional<Literal> literal = literal_of(element, values);
    if (!literal) return {};
    filter.literals.push_back(*literal);
  }
  return {filter};
}

}  // namespace

const Cell* value_of(const Token& variable, std::span<const Cell> values) {
  size_t number = 0;
  const std::string_view text = variable.text;
  std::from_chars(text.data() + 1, text.data() + text.size(), number);
  return number >= 1 && number <= values.size() ? &values[number - 1] : nullptr;
}

std::vector<FilterText> parse_filters(Tokens condition, std::span<const Cell> values) {
  const bool is_qualified = condition.size() > 3 && condition[1].text == ".";
  const size_t length = is_qualified ? 3 : 1;
  if (condition.size() <= length) return {};
  const std::optional<ColumnName> column = parse_column(condition.first(length));
  if (!column) return parse_mirrored(condition, values);
  const Tokens rest = condition.subspan(length);
  const Literal ignored{"NULL"};
  if (are_keywords(rest, {"ISNULL"}) || are_keywords(rest, {"IS", "NULL"}))
    return {{*column, Op::IsNull, {ignored}}};
  if (are_keywords(rest, {"NOTNULL"}) || are_keywords(rest, {"NOT", "NULL"}) ||
      are_keywords(rest, {"IS", "NOT", "NULL"}))
    return {{*column, Op::IsNotNull, {ignored}}};
  if (is_keyword(rest[0], "BETWEEN")) return parse_between(*column, rest.subspan(1), values);
  if (is_keyword(rest[0], "IN")) return parse_list(*column, rest.subspan(1), values);
  const std::optional<Literal> literal = literal_of(rest.subspan(1), values);
  if (!literal) return {};
  if (const Comparison* comparison = comparison_of(rest.first(1)))
    return {{*column, comparison->op, {*literal}}};
  if (is_keyword(rest[0], "GLOB") && literal->is_text) return {{*column, Op::Glob, {*literal}}};
  return {};
}

}  // namespace tracebraid
