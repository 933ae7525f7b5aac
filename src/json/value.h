// Value: scans JSON values in place, without a tree.
//
// Input: bytes and a Cursor. Output: a Value whose texts point into the bytes. Called by the
// readers of JSON formats (format/json, format/common).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "json/number.h"
#include "json/text.h"

namespace tracebraid::json {

enum class Parse : uint8_t {
  Ok,
  Cut,  // the bytes end within the value
  Bad,  // malformed, even for the tolerant syntax
};

// The read position in a range of bytes.
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
  std::string_view raw;  // the text; of a String without the quotes

  bool has(Kind wanted) const { return kind == wanted; }
  // Most callers treat missing and null alike.
  bool is_given() const { return kind > Kind::Null; }
};

// Returns the decoded text of a String, the raw text of other values.
inline std::string_view text_of(const Value& value, std::string& scratch) {
  if (!value.has(Kind::String)) return value.raw;
  return text_of(StringToken{value.raw, value.escaped}, scratch);
}

// Whether the value is a String equal to `text` after decoding.
inline bool is_text(const Value& value, std::string_view text) {
  if (!value.has(Kind::String)) return false;
  if (!value.escaped) return value.raw == text;
  std::string scratch;
  return text_of(value, scratch) == text;
}

// Returns the value as JSON, with the quotes of a String.
inline std::string_view json_text(const Value& value) {
  if (!value.has(Kind::String)) return value.raw;
  return {value.raw.data() - 1, value.raw.size() + 2};
}

// Reads a string, number, true, false or null. Requires: `cursor` is on its first character.
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

// Skips any value; checks only the brackets of containers. `depth` is the number of containers
// around it; raises `deepest` to the depth reached.
Parse read_raw(Cursor& cursor, uint32_t depth, uint32_t& deepest, Value& value);

// Moves from after an opening bracket to the first member or element, skipping commas. Returns
// whether `close` came instead.
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

// Moves from after a member or element to the next one, or past `close`; then `closed` is true.
// Accepts trailing and repeated commas; `extra_commas` counts the repeated ones.
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

// Moves from after the closing quote of a key to its value; null if there is no value.
inline const char* to_value(const char* at, const char* end) {
  if (at == end || *at != ':') return nullptr;
  at = skip_space(at + 1, end);
  return at == end ? nullptr : at;
}

// Reads a key and its colon. Requires: `cursor` is on the quote. Leaves `cursor` on the value.
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
