#include "export/rows/letter_width.h"

#include <algorithm>
#include <iterator>

#include "export/rows/cell_text.h"

namespace tracebraid {
namespace {

struct Range {
  char32_t first, last;
};
constexpr Range kZero[] = {
#define TB_ZERO_WIDTH(first, last) {first, last},
#include "export/rows/letter_widths.inc"
#undef TB_ZERO_WIDTH
};
constexpr Range kDouble[] = {
#define TB_DOUBLE_WIDTH(first, last) {first, last},
#include "export/rows/letter_widths.inc"
#undef TB_DOUBLE_WIDTH
};

template <size_t kRanges>
bool holds(const Range (&ranges)[kRanges], char32_t c) {
  const Range* const range = std::ranges::lower_bound(ranges, c, {}, &Range::last);
  return range != std::end(ranges) && range->first <= c;
}

// Requires: `text` is one valid sequence.
char32_t code_point(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  char32_t point = lead & (0x7fU >> text.size());
  for (const char c : text.substr(1)) point = point << 6 | (static_cast<unsigned char>(c) & 0x3fU);
  return point;
}

// Returns the character at the start of `text`: one byte if it is ASCII or invalid.
std::string_view letter_at(std::string_view text) {
  return text.substr(0, std::max<size_t>(1, utf8_length(text)));
}

// Does not use wcwidth(), which depends on the locale.
size_t letter_width(std::string_view letter) {
  if (letter.size() == 1) return 1;
  const char32_t c = code_point(letter);
  if (holds(kZero, c)) return 0;
  return holds(kDouble, c) ? 2 : 1;
}

}  // namespace

size_t shown_width(std::string_view text) {
  size_t width = 0;
  while (!text.empty()) {
    const std::string_view letter = letter_at(text);
    width += letter_width(letter);
    text.remove_prefix(letter.size());
  }
  return width;
}

void append_cut(std::string& to, std::string_view text, size_t width) {
  size_t used = 0, fits = 0;  // columns so far; bytes before the ellipsis
  for (size_t at = 0; at < text.size();) {
    const std::string_view letter = letter_at(text.substr(at));
    used += letter_width(letter);
    if (used > width) {
      to.append(text.substr(0, fits)).append("…");
      return;
    }
    at += letter.size();
    if (used < width) fits = at;
  }
  to.append(text);
}

}  // namespace tracebraid
