#include "report/text.h"

#include <algorithm>

#include "export/rows/cell_text.h"
#include "export/rows/letter_width.h"

namespace tracebraid {

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const size_t cut = std::min(text.find_first_of("\n\t"), text.size());
    append_shown(shown, text.substr(0, cut));
    if (cut < text.size()) shown.push_back(text[cut]);
    text.remove_prefix(std::min(cut + 1, text.size()));
  }
  return shown;
}

std::string wrap(std::string_view text, size_t width, size_t indent) {
  std::string wrapped;
  size_t column = 0;
  while (!text.empty()) {
    const size_t cut = text.find_first_of(" \n");
    const std::string_view word = text.substr(0, cut);
    const bool ends_line = cut != text.npos && text[cut] == '\n';
    const size_t letters = shown_width(word);
    if (column > 0 && column + 1 + letters > width) {
      wrapped += "\n" + std::string(indent, ' ');
      column = 0;
    }
    if (column > 0) {
      wrapped += ' ';
      ++column;
    }
    wrapped += word;
    column += letters;
    if (ends_line) {
      wrapped +=
          "\n" + std::string(cut + 1 < text.size() && text[cut + 1] == '\n' ? 0 : indent, ' ');
      column = 0;
    }
    text = cut == text.npos ? std::string_view() : text.substr(cut + 1);
  }
  return wrapped;
}

}  // namespace tracebraid
