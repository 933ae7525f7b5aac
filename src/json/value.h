// Value: one JSON value as it lies in the file, and how to get past it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "json/number.h"
#include "json/text.h"

namespace tracebraid::json {

enum class Parse : uint8_t {
  Ok,
  Cut,  // the bytes end before the value does
  Bad,  // not JSON, not even tolerantly
};

// Where reading stands in a run of bytes.
struct Cursor {
  const char* at;
  const char* end;

  void skip_space() { at = json::skip_space(at, end); }
  bool is_at_end() const { return at == end; }
};

enum class Kind : uint8_t { Absent, Null, Bool, Number, String, Object, Array };

struct Value {
  Kind kind = Kind::Absent;
  bool truth = false;    // of Bool
  bool escaped = false;  // of String
  Number number;
  std::string_view raw;  // the text; of a String what lies between the quotes

  bool has(Kind wanted) const { return kind == wanted; }
  // Missing and null are the same in most places.
  bool is_given() const { return kind > Kind::Null; }
};

// The decoded text of a String, the raw text of others.
inline std::string_view text_of(const Value& value, std::string& scratch) {
  if (!value.has(Kind::String)) return value.raw;
  return text_of(StringToken{value.raw, value.escaped}, scratch);
}

// Whether it is a String of these characters, spelled with escapes or without.
inline bool is_text(const Value& value, std::string_view text) {
  if (!value.has(Kind::String)) return false;
  if (!value.escaped) return value.raw == text;
  std::string scratch;
  return text_of(value, scratch) == text;
}

// The value as JSON, with the quotes of a String.
inline std::string_view json_text(const Value& value) {
  if (!value.has(Kind::String)) return value.raw;
  return {value.raw.data() - 1, value.raw.size() + 2};
}

// A string, number, true, false or null. `cursor` is on its first character.
Parse read_any_scalar(Cursor& cursor, Value& value);
inline Parse read_scalar(Cursor& cursor, Value& value) {
  if (*cursor.at == '"') {
    StringToken token;
    const char* const next = scan_string(cursor.at + 1, cursor.end, token);
    if (next == nullptr) return Parse::Cut;
    value.kind = Kind::String;
    value.raw = token.raw;
    value.escaped = token.escaped;
    cursor.at = next;
    return Parse::Ok;
  }
  const char* const next = scan_plain_number(cursor.at, cursor.end, value.number);
  if (next == nullptr) return read_any_scalar(cursor, value);
  value.kind = Kind::Number;
  value.raw = {cursor.at, static_cast<size_t>(next - cursor.at)};
  cursor.at = next;
  return Parse::Ok;
}

// Any value; a container is got past without a look at its grammar. `depth` is
// the number of containers around it. `deepest` is raised to the depth reached.
Parse read_raw(Cursor& cursor, uint32_t depth, uint32_t& deepest, Value& value);

// Behind an opening bracket: to the first member or element; commas before it are extra. Whether
// `close` was taken instead.
inline bool read_opening(Cursor& cursor, char close, uint64_t& extra_commas) {
  cursor.skip_space();
  for (; !cursor.is_at_end() && *cursor.at == ','; cursor.skip_space()) {
    ++extra_commas;
    ++cursor.at;
  }
  const bool closed = !cursor.is_at_end() && *cursor.at == close;
  if (closed) ++cursor.at;
  return closed;
}

// After a member or an element: past a comma, or up to `close`. Trailing and
// repeated commas are accepted; `extra_commas` counts the repeated ones. On Ok,
// `closed` tells whether `close` was taken.
Parse read_any_separator(Cursor& cursor, char close, uint64_t& extra_commas, bool& closed);
inline Parse read_separator(Cursor& cursor, char close, uint64_t& extra_commas, bool& closed) {
  const char* const at = skip_space(cursor.at, cursor.end);
  if (at != cursor.end) {
    closed = *at == close;
    if (closed) {
      cursor.at = at + 1;
      return Parse::Ok;
    }
    const char* const next = skip_space(at + 1, cursor.end);
    if (*at == ',' && next != cursor.end && *next != ',' && *next != close) {
      cursor.at = next;
      return Parse::Ok;
    }
  }
  return read_any_separator(cursor, close, extra_commas, closed);
}

// From behind the quote that ends a key to the value; null if it is not there.
inline const char* to_value(const char* at, const char* end) {
  if (at == end || *at != ':') return nullptr;
  at = skip_space(at + 1, end);
  return at == end ? nullptr : at;
}

// A key and its colon, `cursor` on the quote. Leaves it on the value.
Parse read_any_key(Cursor& cursor, StringToken& key);
inline Parse read_key(Cursor& cursor, StringToken& key) {
  if (*cursor.at == '"') {
    const char* const colon = scan_string(cursor.at + 1, cursor.end, key);
    const char* const value = colon == nullptr ? nullptr : to_value(colon, cursor.end);
    if (value != nullptr) {
      cursor.at = value;
      return Parse::Ok;
    }
  }
  return read_any_key(cursor, key);
}

}  // namespace tracebraid::json
