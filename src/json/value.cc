#include "json/value.h"

#include <algorithm>
#include <cstring>

namespace tracebraid::json {
namespace {

// Characters of numbers and words.
bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
         c == '-' || c == '.';
}

// Returns the error of an incomplete token: truncated or malformed.
Parse cut_or_bad(const Cursor& cursor) {
  const char* at = cursor.at;
  while (at < cursor.end && is_word(*at)) ++at;
  return at == cursor.end ? Parse::Cut : Parse::Bad;
}

Parse read_word(Cursor& cursor, Value& value) {
  const std::string_view rest(cursor.at, static_cast<size_t>(cursor.end - cursor.at));
  const auto is = [&](std::string_view word) {
    return rest.starts_with(word) && rest.size() > word.size() && !is_word(rest[word.size()]);
  };
  if (is("true") || is("false")) {
    value.kind = Kind::Bool;
    value.truth = rest[0] == 't';
    value.raw = rest.substr(0, value.truth ? 4 : 5);
  } else if (is("null")) {
    value.kind = Kind::Null;
    value.raw = rest.substr(0, 4);
  } else {
    return cut_or_bad(cursor);
  }
  cursor.at += value.raw.size();
  return Parse::Ok;
}

Parse read_number(Cursor& cursor, Value& value) {
  const char* const next = scan_number(cursor.at, cursor.end, value.number);
  if (next == nullptr || next == cursor.end || is_word(*next)) return cut_or_bad(cursor);
  value.kind = Kind::Number;
  value.raw = {cursor.at, static_cast<size_t>(next - cursor.at)};
  cursor.at = next;
  return Parse::Ok;
}

// Returns the first of `"[]{}`, or `end`.
const char* find_structure(const char* at, const char* end) {
#ifdef __SSE2__
  const __m128i kind_bit = _mm_set1_epi8('[' ^ '{');  // the same as between ] and }
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i braces = _mm_or_si128(bytes, kind_bit);
    const __m128i hits = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
                                      _mm_or_si128(_mm_cmpeq_epi8(braces, _mm_set1_epi8('{')),
                                                   _mm_cmpeq_epi8(braces, _mm_set1_epi8('}'))));
    const auto mask = static_cast<uint32_t>(_mm_movemask_epi8(hits));
    if (mask != 0) return at + __builtin_ctz(mask);
  }
#endif
  while (at < end && *at != '"' && (*at | 0x20) != '{' && (*at | 0x20) != '}') ++at;
  return at;
}

}  // namespace

Parse read_any_scalar(Cursor& cursor, Value& value) {
  switch (*cursor.at) {
    case 't':
    case 'f':
      return read_word(cursor, value);
    case 'n':
      if (cursor.end - cursor.at > 1 && cursor.at[1] == 'a') return read_number(cursor, value);
      return read_word(cursor, value);
    default:
      return read_number(cursor, value);
  }
}

Parse read_raw(Cursor& cursor, uint32_t depth, uint32_t& deepest, Value& value) {
  const char first = *cursor.at;
  if (first != '{' && first != '[') return read_scalar(cursor, value);
  const uint32_t outside = depth;
  const char* at = cursor.at;
  do {
    at = find_structure(at, cursor.end);
    if (at == cursor.end) return Parse::Cut;
    if (*at == '"') {
      StringToken token;
      at = scan_string(at + 1, cursor.end, token);
      if (at == nullptr) return Parse::Cut;
      continue;
    }
    if (*at == '{' || *at == '[')
      deepest = std::max(deepest, ++depth);
    else
      --depth;
    ++at;
  } while (depth > outside);
  value.kind = first == '{' ? Kind::Object : Kind::Array;
  value.raw = {cursor.at, static_cast<size_t>(at - cursor.at)};
  cursor.at = at;
  return Parse::Ok;
}

Parse read_any_separator(Cursor& cursor, char close, uint64_t& extra_commas, bool& closed) {
  cursor.skip_space();
  bool comma = false;
  while (!cursor.is_at_end() && *cursor.at == ',') {
    extra_commas += comma ? 1 : 0;
    comma = true;
    ++cursor.at;
    cursor.skip_space();
  }
  if (cursor.is_at_end()) return Parse::Cut;
  closed = *cursor.at == close;
  if (closed) ++cursor.at;
  return comma || closed ? Parse::Ok : Parse::Bad;
}

Parse read_any_key(Cursor& cursor, StringToken& key) {
  if (*cursor.at != '"') return Parse::Bad;
  const char* const next = scan_string(cursor.at + 1, cursor.end, key);
  if (next == nullptr) return Parse::Cut;
  cursor.at = next;
  cursor.skip_space();
  if (cursor.is_at_end()) return Parse::Cut;
  if (*cursor.at != ':') return Parse::Bad;
  ++cursor.at;
  cursor.skip_space();
  return cursor.is_at_end() ? Parse::Cut : Parse::Ok;
}

}  // namespace tracebraid::json
