#include "query/compile/expression_type.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/words.h"
#include "query/compile/select_text.h"

namespace tracebraid {
namespace {

constexpr int kDeepestExpression = 64;

// What the result of a function of SQLite is.
enum class Gives : uint8_t {
  Integer,
  Real,
  Text,
  First,          // what the first argument is
  FirstAsText,    // the same, which must be a text
  FirstAsNumber,  // the same, which must be a number
  Any,            // any of the arguments
  AnyButFirst,
  FirstOrThird,
};
struct KnownFunction {
  std::string_view name;
  Gives gives;
};
constexpr KnownFunction kKnownFunctions[] = {
    {"abs", Gives::FirstAsNumber},
    {"avg", Gives::Real},
    {"ceil", Gives::FirstAsNumber},
    {"ceiling", Gives::FirstAsNumber},
    {"char", Gives::Text},
    {"coalesce", Gives::Any},
    {"count", Gives::Integer},
    {"cume_dist", Gives::Real},
    {"date", Gives::Text},
    {"datetime", Gives::Text},
    {"degrees", Gives::Real},
    {"dense_rank", Gives::Integer},
    {"exp", Gives::Real},
    {"first_value", Gives::First},
    {"floor", Gives::FirstAsNumber},
    {"format", Gives::Text},
    {"group_concat", Gives::Text},
    {"hex", Gives::Text},
    {"ifnull", Gives::Any},
    {"iif", Gives::AnyButFirst},
    {"instr", Gives::Integer},
    {"json_array_length", Gives::Integer},
    {"json_valid", Gives::Integer},
    {"julianday", Gives::Real},
    {"lag", Gives::FirstOrThird},
    {"last_value", Gives::First},
    {"lead", Gives::FirstOrThird},
    {"length", Gives::Integer},
    {"likelihood", Gives::First},
    {"likely", Gives::First},
    {"ln", Gives::Real},
    {"log", Gives::Real},
    {"log10", Gives::Real},
    {"log2", Gives::Real},
    {"lower", Gives::Text},
    {"ltrim", Gives::Text},
    {"max", Gives::Any},
    {"min", Gives::Any},
    {"nth_value", Gives::First},
    {"ntile", Gives::Integer},
    {"nullif", Gives::First},
    {"octet_length", Gives::Integer},
    {"percent_rank", Gives::Real},
    {"pi", Gives::Real},
    {"pow", Gives::Real},
    {"power", Gives::Real},
    {"printf", Gives::Text},
    {"quote", Gives::Text},
    {"radians", Gives::Real},
    {"random", Gives::Integer},
    {"rank", Gives::Integer},
    {"replace", Gives::FirstAsText},
    {"round", Gives::Real},
    {"row_number", Gives::Integer},
    {"rtrim", Gives::Text},
    {"sign", Gives::Integer},
    {"sqrt", Gives::Real},
    {"strftime", Gives::Text},
    {"string_agg", Gives::Text},
    {"substr", Gives::FirstAsText},
    {"substring", Gives::FirstAsText},
    {"sum", Gives::FirstAsNumber},
    {"time", Gives::Text},
    {"total", Gives::Real},
    {"trim", Gives::Text},
    {"typeof", Gives::Text},
    {"unicode", Gives::Integer},
    {"unlikely", Gives::First},
    {"upper", Gives::Text},
};
static_assert(std::ranges::is_sorted(kKnownFunctions, {}, &KnownFunction::name));

bool is_number(DataType type) { return type == DataType::Int64 || type == DataType::Float64; }

bool is_one_of_symbols(const Token& token, std::span<const std::string_view> symbols) {
  return token.kind == TokenKind::Symbol && std::ranges::find(symbols, token.text) != symbols.end();
}

bool is_comparison(const Token& token) {
  constexpr std::string_view kSymbols[] = {"=", "==", "!=", "<>", "<", "<=", ">", ">="};
  constexpr std::string_view kWords[] = {"AND",  "OR",   "NOT",     "IS",     "IN",
                                         "LIKE", "GLOB", "BETWEEN", "ISNULL", "NOTNULL"};
  return is_one_of_symbols(token, kSymbols) || is_one_of(token, kWords);
}
bool is_of_bits(const Token& token) {
  constexpr std::string_view kSymbols[] = {"&", "|", "<<", ">>"};
  return is_one_of_symbols(token, kSymbols);
}
bool is_arithmetic(const Token& token) {
  constexpr std::string_view kSymbols[] = {"+", "-", "*", "/", "%"};
  return is_one_of_symbols(token, kSymbols);
}
bool has_outside(Tokens tokens, bool (*is_it)(const Token&)) {
  return find_outside(tokens, 0, is_it) < tokens.size();
}
bool has_symbol(Tokens tokens, std::string_view symbol) {
  return find_outside(tokens, 0, [&](const Token& token) { return is_symbol(token, symbol); }) <
         tokens.size();
}

// Returns whether NOT follows an operator, as in 2.5 * NOT a + b: what belongs to it is not what
// the precedence of operators says.
bool has_inner_not(Tokens tokens) {
  for (size_t i = 1; i < tokens.size(); ++i) {
    const Token& before = tokens[i - 1];
    const bool follows = before.kind == TokenKind::Symbol && !is_symbol(before, "(") &&
                         !is_symbol(before, ")") && !is_symbol(before, ",") &&
                         !is_comparison(before);
    if (follows && is_keyword(tokens[i], "NOT")) return true;
  }
  return false;
}

// Returns the first operator of arithmetic with two operands: it follows an operand.
size_t find_arithmetic(Tokens tokens) {
  return find_outside(tokens, 0, [&](const Token& token) {
    if (!is_arithmetic(token) || &token == tokens.data()) return false;
    const Token& before = *(&token - 1);
    return before.kind != TokenKind::Symbol || is_symbol(before, ")");
  });
}

DataType literal_type(const Token& token, DataType text) {
  if (token.kind == TokenKind::Quoted)
    return token.text[0] == '\''                          ? text
           : token.text[0] == 'x' || token.text[0] == 'X' ? DataType::Binary
                                                          : DataType::Unknown;
  if (is_keyword(token, "NULL")) return DataType::Null;
  if (is_keyword(token, "TRUE") || is_keyword(token, "FALSE")) return DataType::Int64;
  if (token.kind != TokenKind::Number) return DataType::Unknown;
  constexpr size_t kSurelyFits = 18;  // digits
  const bool is_whole = std::ranges::all_of(token.text, is_digit);
  if (is_whole) return token.text.size() <= kSurelyFits ? DataType::Int64 : DataType::Unknown;
  return token.text.find_first_of("xX") == std::string_view::npos ? DataType::Float64
                                                                  : DataType::Int64;
}

// The type of CAST ( ... AS type ), by SQLite's rules of affinity.
ValueType cast_type(Tokens tokens, DataType text) {
  const Tokens inside = tokens.subspan(2, tokens.size() - 3);
  const size_t as =
      find_outside(inside, 0, [](const Token& token) { return is_keyword(token, "AS"); });
  std::string type;
  for (const Token& token : inside.subspan(std::min(as + 1, inside.size())))
    type += in_lower_case(token.text);
  const auto has = [&](std::string_view part) { return type.find(part) != std::string::npos; };
  if (has("int")) return {DataType::Int64};
  if (has("char") || has("clob") || has("text")) return {text};
  if (has("blob")) return {DataType::Binary};
  if (has("real") || has("floa") || has("doub")) return {DataType::Float64};
  return {};
}

// Determines types below one expression.
struct ExpressionTyper {
  const ExpressionNames& names;
  int depth;

  ValueType type_of(Tokens tokens) const { return expression_type(tokens, names, depth + 1); }
  ValueType arithmetic(Tokens tokens) const;
  ValueType cases(Tokens tokens) const;
  ValueType call(Tokens tokens) const;
  ValueType known_call(Gives gives, std::span<const Tokens> arguments) const;
  ValueType common(std::span<const Tokens> parts) const;
};

ValueType ExpressionTyper::common(std::span<const Tokens> parts) const {
  ValueType type{DataType::Null};
  for (const Tokens part : parts) type = common_type(type, type_of(part));
  return type;
}

// One REAL makes the result REAL.
ValueType ExpressionTyper::arithmetic(Tokens tokens) const {
  bool is_known = true, has_integers = false, has_reals = false;
  while (!tokens.empty()) {
    const size_t end = find_arithmetic(tokens);
    const ValueType operand = type_of(tokens.first(end));
    if (operand.type == DataType::Float64 && operand.is_certain) return operand;
    has_reals |= operand.type == DataType::Float64;
    has_integers |= operand.type == DataType::Int64;
    is_known &= operand.type == DataType::Null || is_number(operand.type);
    tokens = tokens.subspan(std::min(end + 1, tokens.size()));
  }
  if (!is_known) return {};
  if (has_reals) return {DataType::Float64, false};
  return has_integers ? ValueType{DataType::Int64, false} : ValueType{DataType::Null};
}

// CASE [x] WHEN a THEN b [...] [ELSE c] END.
ValueType ExpressionTyper::cases(Tokens tokens) const {
  Tokens left = tokens.subspan(1, tokens.size() - 2);
  ValueType type{DataType::Null};
  const auto is_next = [](const Token& token) {
    return is_keyword(token, "WHEN") || is_keyword(token, "THEN") || is_keyword(token, "ELSE");
  };
  for (size_t at = find_outside(left, 0, is_next); at < left.size();) {
    const size_t end = find_outside(left, at + 1, is_next);
    if (!is_keyword(left[at], "WHEN"))
      type = common_type(type, type_of(left.subspan(at + 1, end - at - 1)));
    at = end;
  }
  return type;
}

ValueType ExpressionTyper::known_call(Gives gives, std::span<const Tokens> arguments) const {
  const auto first = [&] { return arguments.empty() ? ValueType{} : type_of(arguments[0]); };
  const auto only_if = [](const ValueType& type, bool is_so) { return is_so ? type : ValueType{}; };
  switch (gives) {
    case Gives::Integer:
      return {DataType::Int64};
    case Gives::Real:
      return {DataType::Float64};
    case Gives::Text:
      return {names.text};
    case Gives::First:
      return first();
    case Gives::FirstAsText: {
      const ValueType type = first();
      return only_if(type, type.type == names.text);
    }
    case Gives::FirstAsNumber: {
      const ValueType type = first();
      return only_if(type, is_number(type.type));
    }
    case Gives::Any:
      return common(arguments);
    case Gives::AnyButFirst:
      return arguments.size() > 1 && arguments.size() <= 3 ? common(arguments.subspan(1))
                                                           : ValueType{};
    case Gives::FirstOrThird:
      return arguments.size() < 3 ? first() : common_type(first(), type_of(arguments[2]));
  }
  return {};
}

// f(a, b), f(DISTINCT a), f(a ORDER BY b).
ValueType ExpressionTyper::call(Tokens tokens) const {
  Tokens inside = tokens.subspan(2, tokens.size() - 3);
  if (!inside.empty() && is_keyword(inside[0], "DISTINCT")) inside = inside.subspan(1);
  inside = inside.first(
      find_outside(inside, 0, [](const Token& token) { return is_keyword(token, "ORDER"); }));
  const std::vector<Tokens> arguments = inside.empty() ? std::vector<Tokens>() : split(inside, ",");
  if (const DataType type = names.declared(tokens[0].text, arguments.size());
      type != DataType::Unknown)
    return {type};
  const std::string name = in_lower_case(tokens[0].text);
  const auto* const known =
      std::ranges::lower_bound(kKnownFunctions, std::string_view(name), {}, &KnownFunction::name);
  if (known == std::end(kKnownFunctions) || known->name != name) return {};
  return known_call(known->gives, arguments);
}

// The part of a call of an aggregate or window function before FILTER (...) and OVER (...).
Tokens without_window(Tokens tokens) {
  return tokens.first(find_outside(tokens, 0, [](const Token& token) {
    return is_keyword(token, "FILTER") || is_keyword(token, "OVER");
  }));
}

bool begins_subquery(Tokens tokens) {
  return !tokens.empty() && (is_keyword(tokens[0], "SELECT") || is_keyword(tokens[0], "WITH") ||
                             is_keyword(tokens[0], "VALUES"));
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

ValueType common_type(const ValueType& a, const ValueType& b) {
  if (a.type == DataType::Null) return b;
  if (b.type == DataType::Null) return a;
  if (a.type == b.type) return {a.type, a.is_certain && b.is_certain};
  if (is_number(a.type) && is_number(b.type)) return {DataType::Float64, false};
  return {};
}

ValueType expression_type(Tokens tokens, const ExpressionNames& names, int depth) {
  if (tokens.empty() || depth > kDeepestExpression) return {};
  if (tokens.size() == 1)
    if (const DataType type = literal_type(tokens[0], names.text); type != DataType::Unknown)
      return {type};
  const ExpressionTyper typer{names, depth};
  if (has_inner_not(tokens)) return {};
  if (has_outside(tokens, is_comparison) || has_outside(tokens, is_of_bits))
    return {DataType::Int64};
  if (find_arithmetic(tokens) < tokens.size()) return typer.arithmetic(tokens);
  if (has_symbol(tokens, "->>")) return {};
  if (has_symbol(tokens, "||") || has_symbol(tokens, "->")) return {names.text};
  if (is_symbol(tokens[0], "~")) return {DataType::Int64};
  if (is_symbol(tokens[0], "-")) return typer.arithmetic(tokens.subspan(1));
  if (is_symbol(tokens[0], "+")) return typer.type_of(tokens.subspan(1));  // a text stays one
  const size_t collate =
      find_outside(tokens, 0, [](const Token& token) { return is_keyword(token, "COLLATE"); });
  if (collate < tokens.size()) return typer.type_of(tokens.first(collate));
  tokens = without_window(tokens);
  const bool is_closed = tokens.size() > 1 && is_symbol(tokens.back(), ")");
  if (is_closed && is_symbol(tokens[0], "(")) {
    const Tokens inside = tokens.subspan(1, tokens.size() - 2);
    if (begins_subquery(inside)) return names.subquery(inside);
    return has_symbol(inside, ",") ? ValueType{} : typer.type_of(inside);
  }
  if (tokens.size() > 1 && is_keyword(tokens[0], "CASE") && is_keyword(tokens.back(), "END"))
    return typer.cases(tokens);
  const bool is_call = is_closed && tokens.size() > 2 && tokens[0].kind == TokenKind::Word &&
                       is_symbol(tokens[1], "(");
  if (!is_call) return names.column(tokens);
  if (is_keyword(tokens[0], "EXISTS")) return {DataType::Int64};
  if (is_keyword(tokens[0], "CAST")) return cast_type(tokens, names.text);
  return typer.call(tokens);
}

}  // namespace tracebraid
