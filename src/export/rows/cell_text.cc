#include "export/rows/cell_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

#include "base/hex.h"

namespace tracebraid {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kReplacement = "\xef\xbf\xbd";

// Bytes that need no escape in a JSON string.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (size_t c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

bool is_plain(char c) { return kPlain[static_cast<unsigned char>(c)]; }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool is_printable_ascii(char c) { return c >= 0x20 && c < 0x7f; }

// Returns the number of leading bytes that `takes` accepts.
template <class Takes>
size_t length_of(std::string_view text, Takes takes) {
  size_t length = 0;
  while (length < text.size() && takes(text[length])) ++length;
  return length;
}

// Appends the first character of `text`, which is not plain. Returns its length in bytes.
size_t append_escaped(std::string& to, std::string_view text) {
  const auto byte = static_cast<unsigned char>(text[0]);
  if (byte >= 0x80) {
    const size_t length = utf8_length(text);
    to.append(length == 0 ? kReplacement : text.substr(0, length));
    return length == 0 ? 1 : length;
  }
  constexpr std::string_view kNamed = "\"\\\b\f\n\r\t";
  constexpr std::string_view kNames = "\"\\bfnrt";
  to.push_back('\\');
  if (const size_t at = kNamed.find(text[0]); at != kNamed.npos) {
    to.push_back(kNames[at]);
  } else {
    to.append("u00");
    to.push_back(kHexDigits[byte >> 4]);
    to.push_back(kHexDigits[byte & 15]);
  }
  return 1;
}

// Returns the number of a letter of three bytes from U+2000 to U+2FFF; 0 for others.
unsigned general_punctuation(std::string_view letter) {
  if (letter.size() != 3 || letter[0] != '\xe2') return 0;
  return 0x2000U | (static_cast<unsigned char>(letter[1]) & 0x3fU) << 6 |
         (static_cast<unsigned char>(letter[2]) & 0x3fU);
}

// C0, DEL, and C1, which some terminals interpret, too; line separators and marks that change the
// direction of the text after them.
bool is_control(std::string_view letter) {
  const auto byte = static_cast<unsigned char>(letter[0]);
  if (letter.size() == 1) return byte < 0x20 || byte == 0x7f;
  if (letter.size() == 2) return byte == 0xc2 && static_cast<unsigned char>(letter[1]) < 0xa0;
  const unsigned point = general_punctuation(letter);
  return (point >= 0x200e && point <= 0x200f) || (point >= 0x2028 && point <= 0x202e) ||
         (point >= 0x2066 && point <= 0x2069);
}

void append_named(std::string& to, std::string_view control) {
  constexpr std::string_view kNamed = "\n\r\t";
  constexpr std::string_view kNames = "nrt";
  const size_t at = kNamed.find(control[0]);
  to.push_back('\\');
  if (at != kNamed.npos)
    to.push_back(kNames[at]);
  else if (const unsigned point = general_punctuation(control); point != 0)
    fmt::format_to(std::back_inserter(to), "u{:04x}", point);
  else
    append_hex(to.append("x"), control.substr(control.size() - 1));
}

}  // namespace

void append_integer(std::string& to, int64_t value) {
  char digits[24];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  to.append(digits, end);
}

void append_real(std::string& to, double value) {
  if (std::isinf(value)) {
    to.append(value < 0 ? "-1e999" : "1e999");
    return;
  }
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  const std::string_view text(digits, static_cast<size_t>(end - digits));
  to.append(text);
  if (text.find_first_of(".en") == text.npos) to.append(".0");
}

size_t utf8_length(std::string_view text) {
  const auto at = [&](size_t i) -> unsigned { return static_cast<unsigned char>(text[i]); };
  if (text.empty()) return 0;
  const unsigned lead = at(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  // The second byte excludes overlong forms, surrogates and values beyond U+10FFFF.
  const unsigned low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (at(1) < low || at(1) > high) return 0;
  for (size_t i = 2; i < length; ++i)
    if ((at(i) & 0xc0) != 0x80) return 0;
  return length;
}

void append_valid_utf8(std::string& to, std::string_view text) {
  for (;;) {
    const size_t ascii = length_of(text, is_ascii);
    to.append(text.substr(0, ascii));
    text.remove_prefix(ascii);
    if (text.empty()) return;
    const size_t length = utf8_length(text);
    to.append(length == 0 ? kReplacement : text.substr(0, length));
    text.remove_prefix(length == 0 ? 1 : length);
  }
}

void append_json_string(std::string& to, std::string_view text) {
  to.push_back('"');
  while (!text.empty()) {
    const size_t plain = length_of(text, is_plain);
    to.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (!text.empty()) text.remove_prefix(append_escaped(to, text));
  }
  to.push_back('"');
}

void append_json(std::string& to, const Cell& cell) {
  switch (cell.kind) {
    case Cell::Kind::Null:
      to.append("null");
      return;
    case Cell::Kind::Int:
      append_integer(to, cell.integer);
      return;
    case Cell::Kind::Real:
      append_real(to, cell.real);
      return;
    case Cell::Kind::Text:
      append_json_string(to, cell.text);
      return;
    case Cell::Kind::Blob:
      to.append("{\"blob\":\"");
      append_hex(to, cell.text);
      to.append("\"}");
      return;
  }
}

void append_shown(std::string& to, std::string_view text) {
  for (;;) {
    const size_t printable = length_of(text, is_printable_ascii);
    to.append(text.substr(0, printable));
    text.remove_prefix(printable);
    if (text.empty()) return;
    const size_t length = utf8_length(text);
    const std::string_view letter = text.substr(0, std::max<size_t>(1, length));
    if (length == 0)
      to.append(kReplacement);
    else if (is_control(letter))
      append_named(to, letter);
    else
      to.append(letter);
    text.remove_prefix(letter.size());
  }
}

void append_shown(std::string& to, const Cell& cell) {
  switch (cell.kind) {
    case Cell::Kind::Null:
      to.append("NULL");
      return;
    case Cell::Kind::Int:
      append_integer(to, cell.integer);
      return;
    case Cell::Kind::Real:
      append_real(to, cell.real);
      return;
    case Cell::Kind::Text:
      append_shown(to, cell.text);
      return;
    case Cell::Kind::Blob:
      to.append("x'");
      append_hex(to, cell.text);
      to.push_back('\'');
      return;
  }
}

}  // namespace tracebraid
