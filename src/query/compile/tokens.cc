#include "query/compile/tokens.h"

#include <algorithm>

#include "base/words.h"

namespace tracebraid {
namespace {

constexpr auto kNone = std::string_view::npos;

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
// Bytes of characters beyond ASCII may be part of a name.
bool starts_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool continues_word(char c) { return starts_word(c) || is_digit(c) || c == '$'; }
char upper_case(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

template <class Test>
size_t length_while(std::string_view sql, size_t from, Test test) {
  while (from < sql.size() && test(sql[from])) ++from;
  return from;
}

// Returns the length of a quoted token; a doubled quote is part of it.
size_t quoted_length(std::string_view sql, size_t open) {
  const char quote = sql[open] == '[' ? ']' : sql[open];
  for (size_t at = open + 1; at < sql.size(); ++at) {
    if (sql[at] != quote) continue;
    const bool doubled = quote != ']' && at + 1 < sql.size() && sql[at + 1] == quote;
    if (!doubled) return at + 1;
    ++at;
  }
  return sql.size();
}

size_t comment_length(std::string_view sql) {
  if (sql.starts_with("--")) return std::min(sql.find('\n'), sql.size());
  const size_t end = sql.find("*/", 2);
  return end == kNone ? sql.size() : end + 2;
}

size_t number_length(std::string_view sql) {
  if (sql.size() > 2 && sql[0] == '0' && (sql[1] == 'x' || sql[1] == 'X'))
    return length_while(sql, 2, continues_word);
  size_t at = length_while(sql, 0, [](char c) { return is_digit(c) || c == '.'; });
  if (at < sql.size() && (sql[at] == 'e' || sql[at] == 'E')) {
    const size_t sign = at + 1 < sql.size() && (sql[at + 1] == '+' || sql[at + 1] == '-') ? 2 : 1;
    if (at + sign < sql.size() && is_digit(sql[at + sign]))
      at = length_while(sql, at + sign, is_digit);
  }
  return length_while(sql, at, continues_word);
}

size_t symbol_length(std::string_view sql) {
  for (std::string_view symbol : {"->>", "||", "->", "<<", ">>", "<=", ">=", "<>", "==", "!="})
    if (sql.starts_with(symbol)) return symbol.size();
  return 1;
}

}  // namespace

Token first_token(std::string_view sql) {
  const auto token = [&](TokenKind kind, size_t length) {
    return Token{kind, sql.substr(0, length)};
  };
  if (sql.empty()) return {};
  const char c = sql[0];
  if (is_space(c)) return token(TokenKind::Space, length_while(sql, 0, is_space));
  if (sql.starts_with("--") || sql.starts_with("/*"))
    return token(TokenKind::Space, comment_length(sql));
  if (c == '\'' || c == '"' || c == '`' || c == '[')
    return token(TokenKind::Quoted, quoted_length(sql, 0));
  if ((c == 'x' || c == 'X') && sql.size() > 1 && sql[1] == '\'')
    return token(TokenKind::Quoted, quoted_length(sql, 1));
  if (starts_word(c)) return token(TokenKind::Word, length_while(sql, 0, continues_word));
  if (is_digit(c) || (c == '.' && sql.size() > 1 && is_digit(sql[1])))
    return token(TokenKind::Number, number_length(sql));
  if (c == '?' || c == ':' || c == '@' || c == '$' || c == '#')
    return token(TokenKind::Variable, length_while(sql, 1, continues_word));
  return token(TokenKind::Symbol, symbol_length(sql));
}

std::string_view skip_space(std::string_view sql) {
  for (Token token = first_token(sql); token.kind == TokenKind::Space; token = first_token(sql))
    sql.remove_prefix(token.text.size());
  return sql;
}

std::vector<Token> tokens_of(std::string_view sql) {
  std::vector<Token> tokens;
  for (sql = skip_space(sql); !sql.empty() && sql[0] != ';'; sql = skip_space(sql)) {
    const Token token = first_token(sql);
    tokens.push_back(token);
    sql.remove_prefix(token.text.size());
  }
  return tokens;
}

bool is_keyword(const Token& token, std::string_view upper) {
  return token.kind == TokenKind::Word &&
         std::equal(token.text.begin(), token.text.end(), upper.begin(), upper.end(),
                    [](char a, char b) { return upper_case(a) == b; });
}

std::optional<std::string_view> plain_text(const Token& token) {
  if (token.text.size() < 2 || !token.text.starts_with('\'') || !token.text.ends_with('\''))
    return std::nullopt;
  const std::string_view inside = token.text.substr(1, token.text.size() - 2);
  return inside.find('\'') == std::string_view::npos ? std::optional(inside) : std::nullopt;
}

}  // namespace tracebraid
