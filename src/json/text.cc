#include "json/text.h"

#include <cstdint>
#include <optional>

namespace tracebraid::json {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;

}  // namespace

void append_utf8(uint32_t code, std::string& out) {
  const auto put = [&](uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

uint32_t join_surrogates(uint32_t first, uint32_t second) {
  const auto is_high = [](uint32_t code) { return code >= 0xD800 && code < 0xDC00; };
  const auto is_low = [](uint32_t code) { return code >= 0xDC00 && code < 0xE000; };
  if (is_high(first) && is_low(second))
    return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
  return is_high(first) || is_low(first) ? kReplacement : first;
}

namespace {

// Parses the four hex digits at the start of `text`.
std::optional<uint32_t> hex4(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  uint32_t code = 0;
  for (const char c : text.substr(0, 4)) {
    uint32_t digit = 0;
    if (c >= '0' && c <= '9')
      digit = static_cast<uint32_t>(c - '0');
    else if (c >= 'a' && c <= 'f')
      digit = static_cast<uint32_t>(c - 'a') + 10;
    else if (c >= 'A' && c <= 'F')
      digit = static_cast<uint32_t>(c - 'A') + 10;
    else
      return std::nullopt;
    code = code << 4 | digit;
  }
  return code;
}

// Requires: `at` is the index of the 'u'. Returns the index after the escape.
size_t decode_unicode(std::string_view raw, size_t at, std::string& out) {
  const std::optional<uint32_t> first = hex4(raw.substr(at + 1));
  if (!first) {  // an unknown escape
    out.push_back('u');
    return at + 1;
  }
  at += 5;
  const bool has_second = raw.substr(at, 2) == "\\u";
  const uint32_t second = has_second ? hex4(raw.substr(at + 2)).value_or(0) : 0;
  const uint32_t code = join_surrogates(*first, second);
  append_utf8(code, out);
  return code > 0xFFFF ? at + 6 : at;
}

}  // namespace

const char* skip_long_space(const char* at, const char* end) {
#ifdef __SSE2__
  while (end - at >= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const auto is = [&](char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
    const __m128i blanks =
        _mm_or_si128(_mm_or_si128(is(' '), is('\n')), _mm_or_si128(is('\r'), is('\t')));
    const auto others = ~static_cast<uint32_t>(_mm_movemask_epi8(blanks)) & 0xFFFFU;
    if (others != 0) return at + __builtin_ctz(others);
    at += 16;
  }
#endif
  while (at < end && is_space(*at)) ++at;
  return at;
}

const char* find_quote_or_backslash(const char* at, const char* end) {
#ifdef __SSE2__
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i hits =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash));
    const auto mask = static_cast<uint32_t>(_mm_movemask_epi8(hits));
    if (mask != 0) return at + __builtin_ctz(mask);
  }
#endif
  while (at < end && *at != '"' && *at != '\\') ++at;
  return at;
}

const char* scan_long_string(const char* at, const char* end, StringToken& token) {
  const char* const begin = at;
  token.escaped = false;
  for (;;) {
    at = find_quote_or_backslash(at, end);
    if (at == end) return nullptr;
    if (*at == '"') {
      token.raw = {begin, static_cast<size_t>(at - begin)};
      return at + 1;
    }
    if (end - at < 2) return nullptr;
    token.escaped = true;
    at += 2;
  }
}

void decode(std::string_view raw, std::string& out) {
  for (size_t at = 0; at < raw.size();) {
    const size_t backslash = raw.find('\\', at);
    out.append(raw.substr(at, backslash - at));
    if (backslash == std::string_view::npos || backslash + 1 == raw.size()) return;
    at = backslash + 1;
    switch (const char c = raw[at]) {
      case 'b':
        out.push_back('\b');
        break;
      case 'f':
        out.push_back('\f');
        break;
      case 'n':
        out.push_back('\n');
        break;
      case 'r':
        out.push_back('\r');
        break;
      case 't':
        out.push_back('\t');
        break;
      case '\n':
        break;
      case 'u':
        at = decode_unicode(raw, at, out);
        continue;
      default:
        out.push_back(c);
    }
    ++at;
  }
}

}  // namespace tracebraid::json
