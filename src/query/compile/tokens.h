// SQL cut into tokens, by SQLite's rules.
#pragma once

#include <cstdint>
#include <string_view>

namespace tracebraid {

enum class TokenKind : uint8_t {
  End,
  Space,   // blanks and comments
  Word,    // keyword or bare identifier
  Quoted,  // 'text', "name", `name`, [name], x'blob'; also unfinished ones
  Number,
  Variable,  // ?1 :a @a $a
  Symbol,    // operators and punctuation, ';' too
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;  // part of the text that was cut
};

// The token at the start of `sql`. End (and empty) at its end.
Token first_token(std::string_view sql);

// Cuts off blanks and comments.
std::string_view skip_space(std::string_view sql);

// Whether `token` is this keyword (given in upper case), in any case.
bool is_keyword(const Token& token, std::string_view upper);

}  // namespace tracebraid
