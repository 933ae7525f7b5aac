// Searches tokens of SQL outside of parentheses and CASE.
#pragma once

#include <span>
#include <string_view>

#include "query/compile/tokens.h"

namespace tracebraid {

using Tokens = std::span<const Token>;  // without blanks

inline bool is_symbol(const Token& token, std::string_view symbol) {
  return token.kind == TokenKind::Symbol && token.text == symbol;
}

// Returns the change of nesting depth after the token.
inline int step(const Token& token) {
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
    depth += step(tokens[at]);
  }
  return at;
}

}  // namespace tracebraid
