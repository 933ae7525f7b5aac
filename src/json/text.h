// Text: JSON string tokens, scanned and decoded in place.
#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <cstdint>
#include <string>
#include <string_view>

namespace tracebraid::json {

// Accepts the superset of RFC 8259 of spec json 2.2: raw control characters, and ill-formed UTF-8,
// which is kept unchanged.

inline bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

const char* skip_long_space(const char* at, const char* end);
inline const char* skip_space(const char* at, const char* end) {
  // Mostly there is at most one.
  if (end - at >= 2) {
    if (static_cast<unsigned char>(*at) > ' ') return at;
    if (*at == ' ' && static_cast<unsigned char>(at[1]) > ' ') return at + 1;
  }
  return skip_long_space(at, end);
}

// Returns the first quote or backslash, or `end`.
const char* find_quote_or_backslash(const char* at, const char* end);

struct StringToken {
  std::string_view raw;  // between the quotes
  bool escaped = false;  // has backslashes: needs decode()
};

// Scans a string from after its opening quote. Returns the position after the closing quote, or
// null if there is none.
const char* scan_long_string(const char* at, const char* end, StringToken& token);
inline const char* scan_string(const char* at, const char* end, StringToken& token) {
#ifdef __SSE2__
  // Most strings are short and have no escapes.
  if (end - at >= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i hits = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
                                      _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
    const auto mask = static_cast<uint32_t>(_mm_movemask_epi8(hits));
    if (mask != 0) {
      const int size = __builtin_ctz(mask);
      if (at[size] == '"') {
        token = {{at, static_cast<size_t>(size)}, false};
        return at + size + 1;
      }
    }
  }
#endif
  return scan_long_string(at, end, token);
}

// Appends the text with escapes decoded to `out`. Combines surrogate pairs; a lone surrogate
// becomes U+FFFD; an unknown escape becomes its character; a backslash before a line feed removes
// both.
void decode(std::string_view raw, std::string& out);

void append_utf8(uint32_t code, std::string& out);

// Returns the code point of one or two UTF-16 units: above 0xFFFF if it uses both, U+FFFD if the
// first is a lone surrogate.
uint32_t join_surrogates(uint32_t first, uint32_t second);

// Returns the text of a token; stored in `scratch` if it has escapes.
inline std::string_view text_of(const StringToken& token, std::string& scratch) {
  if (!token.escaped) return token.raw;
  scratch.clear();
  decode(token.raw, scratch);
  return scratch;
}

}  // namespace tracebraid::json
