// TokenList: the tokens of a text, with the partner of each bracket, made in one pass.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "query/compile/tokens.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

inline constexpr uint32_t kNoToken = std::numeric_limits<uint32_t>::max();

struct ListedToken {
  TokenKind kind;
  uint32_t begin, length;       // bytes in the text, which has at most 1 GB
  uint32_t partner = kNoToken;  // of '(' and ')': the index of the other bracket, if there is one
};

// Blanks and comments are left out. `text` must outlive the list.
struct TokenList {
  std::string_view text;
  std::vector<ListedToken> tokens;

  std::string_view text_of(const ListedToken& token) const {
    return text.substr(token.begin, token.length);
  }
  bool is(size_t index, std::string_view symbol) const {
    return index < tokens.size() && text_of(tokens[index]) == symbol;
  }
  Token token(size_t index) const {
    return index < tokens.size() ? Token{tokens[index].kind, text_of(tokens[index])} : Token{};
  }
};
TokenList token_list(std::string_view text);
// The same for long texts. The list is cut if stopped.
TokenList token_list(std::string_view text, const StopCheck& stop);

// The tokens between two commas of a list: [begin, end).
struct TokenRange {
  size_t begin = 0, end = 0;
  bool is_empty() const { return begin == end; }
};
// Divides tokens at their commas, except those within brackets. No tokens: no range.
std::vector<TokenRange> split_at_commas(const TokenList& list, TokenRange range);

// Returns whether name!(...) starts at this token.
bool is_macro_call(const TokenList& list, size_t index);

}  // namespace tracebraid
