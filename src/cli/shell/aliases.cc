#include "cli/shell/aliases.h"

#include <algorithm>

#include "engine/sql_tokens.h"

namespace tracebraid {
namespace {

// Keywords that can follow a relation, so they are no alias.
constexpr std::string_view kAfterRelation[] = {
    "ON",     "USING",   "WHERE",   "JOIN",  "LEFT",   "RIGHT",  "FULL",   "INNER",     "OUTER",
    "CROSS",  "GROUP",   "ORDER",   "LIMIT", "UNION",  "EXCEPT", "WINDOW", "INTERSECT", "SET",
    "HAVING", "NATURAL", "INDEXED", "NOT",   "OFFSET", "FROM",   "SELECT"};

bool is_symbol(const Token& token, std::string_view text) {
  return token.kind == TokenKind::Symbol && token.text == text;
}

// Returns the tokens, without blanks, of the statement around `cursor`.
std::vector<Token> statement_tokens(std::string_view sql, size_t cursor) {
  std::vector<Token> tokens;
  for (size_t at = 0; at < sql.size();) {
    const Token token = first_token(sql.substr(at));
    at += token.text.size();
    if (is_symbol(token, ";")) {
      if (at > cursor) break;
      tokens.clear();
    } else if (token.kind != TokenKind::Space) {
      tokens.push_back(token);
    }
  }
  return tokens;
}

bool is_name(const Token& token) {
  if (token.kind == TokenKind::Quoted) return token.text[0] != '\'' && token.text[0] != 'x';
  return token.kind == TokenKind::Word &&
         std::ranges::none_of(kAfterRelation,
                              [&](std::string_view word) { return is_keyword(token, word); });
}

std::string_view unquoted(const Token& token) {
  if (token.kind != TokenKind::Quoted || token.text.size() < 2) return token.text;
  return token.text.substr(1, token.text.size() - 2);
}

}  // namespace

std::vector<NamedRelation> named_relations(std::string_view sql, size_t cursor) {
  const std::vector<Token> tokens = statement_tokens(sql, cursor);
  std::vector<NamedRelation> found;
  const auto name_at = [&](size_t i) { return i < tokens.size() && is_name(tokens[i]); };
  bool in_from = false;  // commas separate relations
  for (size_t i = 0; i < tokens.size(); ++i) {
    const bool is_join = is_keyword(tokens[i], "FROM") || is_keyword(tokens[i], "JOIN");
    if (is_join)
      in_from = true;
    else if (tokens[i].kind == TokenKind::Word && !is_name(tokens[i]))
      in_from = false;
    if (!is_join && !(in_from && is_symbol(tokens[i], ","))) continue;
    if (!name_at(i + 1)) continue;
    const std::string_view relation = unquoted(tokens[++i]);
    if (i + 1 < tokens.size() && is_symbol(tokens[i + 1], ".")) continue;  // a schema
    if (i + 1 < tokens.size() && is_keyword(tokens[i + 1], "AS")) ++i;
    const bool has_alias = name_at(i + 1);
    found.push_back({has_alias ? unquoted(tokens[++i]) : relation, relation});
  }
  return found;
}

}  // namespace tracebraid
