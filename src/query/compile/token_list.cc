#include "query/compile/token_list.h"

namespace tracebraid {

TokenList token_list(std::string_view text) { return token_list(text, StopCheck()); }

TokenList token_list(std::string_view text, const StopCheck& stop) {
  TokenList list{text, {}};
  PacedStopCheck check(stop);
  std::vector<uint32_t> open;
  for (size_t at = 0; at < text.size();) {
    if (check.stopped()) return list;
    const Token token = first_token(text.substr(at));
    const auto begin = static_cast<uint32_t>(at);
    at += token.text.size();
    if (token.kind == TokenKind::Space) continue;
    const auto index = static_cast<uint32_t>(list.tokens.size());
    list.tokens.push_back({token.kind, begin, static_cast<uint32_t>(token.text.size())});
    if (token.text == "(") {
      open.push_back(index);
    } else if (token.text == ")" && !open.empty()) {
      list.tokens[index].partner = open.back();
      list.tokens[open.back()].partner = index;
      open.pop_back();
    }
  }
  return list;
}

std::vector<TokenRange> split_at_commas(const TokenList& list, TokenRange range) {
  std::vector<TokenRange> parts;
  if (range.is_empty()) return parts;
  size_t begin = range.begin;
  for (size_t i = range.begin; i < range.end; ++i) {
    const ListedToken& token = list.tokens[i];
    if (list.is(i, "(") && token.partner != kNoToken) i = token.partner;
    if (!list.is(i, ",")) continue;
    parts.push_back({begin, i});
    begin = i + 1;
  }
  parts.push_back({begin, range.end});
  return parts;
}

bool is_macro_call(const TokenList& list, size_t index) {
  return index + 2 < list.tokens.size() &&
         (list.tokens[index].kind == TokenKind::Word ||
          list.tokens[index].kind == TokenKind::Variable) &&
         list.is(index + 1, "!") && list.is(index + 2, "(") &&
         list.tokens[index + 2].partner != kNoToken;
}

}  // namespace tracebraid
