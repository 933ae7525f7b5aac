#include "cli/output/cell_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace tracebraid {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kReplacement = "\xef\xbf\xbd";

// Bytes that stand for themselves in a JSON string.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (size_t c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

bool is_plain(char c) { return kPlain[static_cast<unsigned char>(c)]; }

// Appends what `text`, which begins with a byte that is not plain, starts with;
// how many bytes that were.
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

void append_hex(std::string& to, std::string_view bytes) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    to.push_back(kHexDigits[byte >> 4]);
    to.push_back(kHexDigits[byte & 15]);
  }
}

size_t utf8_length(std::string_view text) {
  const auto at = [&](size_t i) -> unsigned { return static_cast<unsigned char>(text[i]); };
  if (text.empty()) return 0;
  const unsigned lead = at(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  // The second byte rules out overlong forms, surrogates and too large ones.
  const unsigned low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (at(1) < low || at(1) > high) return 0;
  for (size_t i = 2; i < length; ++i)
    if ((at(i) & 0xc0) != 0x80) return 0;
  return length;
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    valid.append(length == 0 ? kReplacement : text.substr(0, length));
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return valid;
}

void append_json_string(std::string& to, std::string_view text) {
  to.push_back('"');
  while (!text.empty()) {
    size_t plain = 0;
    while (plain < text.size() && is_plain(text[plain])) ++plain;
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

}  // namespace tracebraid
