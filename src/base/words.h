// Tokens of a line of text: blanks, words and numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracebraid {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The byte order mark that UTF-8 text may begin with.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
inline std::string_view without_byte_order_mark(std::string_view text) {
  return text.substr(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
}

// Converts ASCII letters; other characters are unchanged.
inline char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string in_lower_case(std::string_view text);

// Removes blanks at both ends.
inline std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Removes blanks and line ends at both ends.
inline std::string_view trim_lines(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// Removes the next word, and the blanks before it, from the text and returns it; empty at the end
// of the text.
inline std::string_view take_word(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  const std::string_view word = text.substr(0, text.find_first_of(" \t"));
  text.remove_prefix(word.size());
  return word;
}

// Parses a whole text as a decimal number; nothing if it does not fit.
std::optional<int64_t> parse_decimal(std::string_view text);
// Parses a whole text as a decimal number with an optional point and up to nine decimals. Returns
// billionths: for seconds, ns.
std::optional<int64_t> parse_billionths(std::string_view text);
// Parses a whole text as hexadecimal digits without a prefix; nothing if the number does not fit.
std::optional<uint64_t> parse_hex(std::string_view digits);

}  // namespace tracebraid
