// Tokens of SQL, by SQLite's rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tracebraid {

enum class TokenKind : uint8_t {
  End,
  Space,   // blanks and comments
  Word,    // keyword or bare identifier
  Quoted,  // 'text', "name", `name`, [name], x'blob'; also unterminated ones
  Number,
  Variable,  // ?1 :a @a $a
  Symbol,    // operators and punctuation, including ';'
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;  // a range of the text
};

// Returns the token at the start of `sql`; End (and empty) at its end.
Token first_token(std::string_view sql);

// Returns the text without leading blanks and comments.
std::string_view skip_space(std::string_view sql);

// Returns the tokens up to the first ';', without blanks and comments.
std::vector<Token> tokens_of(std::string_view sql);

// Returns whether `token` is this keyword in any case. Requires: `upper` is in upper case.
bool is_keyword(const Token& token, std::string_view upper);

// Returns the text of a literal 'a'; nothing for another token, or if the text has a quote.
std::optional<std::string_view> plain_text(const Token& token);

}  // namespace tracebraid
