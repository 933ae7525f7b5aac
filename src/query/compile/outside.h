// Searches and takes tokens of SQL outside of parentheses and CASE.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "query/compile/tokens.h"

namespace tracebraid {

using Tokens = std::span<const Token>;  // without blanks

inline bool is_symbol(const Token& token, std::string_view symbol) {
  return token.kind == TokenKind::Symbol && token.text == symbol;
}

// Returns whether the token is one of these keywords, which are in upper case.
inline bool is_one_of(const Token& token, std::span<const std::string_view> keywords) {
  return std::ranges::any_of(keywords, [&](auto keyword) { return is_keyword(token, keyword); });
}

// Returns the change of nesting depth after the token.
inline int nesting_step(const Token& token) {
  if (is_symbol(token, "(") || is_keyword(token, "CASE")) return 1;
  return is_symbol(token, ")") || is_keyword(token, "END") ? -1 : 0;
}

// Returns the first token at the outermost level, from `at` on, for which `is_end` holds; else the
// end.
template <class Test>
size_t find_outside(Tokens tokens, size_t at, Test is_end) {
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    if (depth == 0 && is_end(tokens[at])) return at;
    depth += nesting_step(tokens[at]);
  }
  return at;
}

// Takes tokens off the front.
struct TokenReader {
  Tokens left;

  bool is_at(std::string_view keyword) const {
    return !left.empty() && is_keyword(left[0], keyword);
  }
  bool is_at_symbol(std::string_view symbol) const {
    return !left.empty() && is_symbol(left[0], symbol);
  }
  bool take(std::string_view keyword) {
    if (!is_at(keyword)) return false;
    left = left.subspan(1);
    return true;
  }
  // Takes so many tokens, or all that are left.
  Tokens take_first(size_t count) {
    const Tokens taken = left.first(std::min(count, left.size()));
    left = left.subspan(taken.size());
    return taken;
  }
  // Takes ( ... ) and returns what is inside. Requires: is_at_symbol("(").
  Tokens take_brackets() {
    take_first(1);
    const Tokens inside =
        take_first(find_outside(left, 0, [](const Token& token) { return is_symbol(token, ")"); }));
    take_first(1);
    return inside;
  }
};

}  // namespace tracebraid
