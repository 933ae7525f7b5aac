#include "engine/sql_error.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/rows.h"

namespace tracebraid {
namespace {

constexpr std::string_view kTraceback = "Traceback (most recent call last):\n";
constexpr std::string_view kExpanded = "Fully expanded statement\n";
constexpr std::string_view kFile = "File \"stdin\" ";
constexpr std::string_view kTool = "Trace Processor Internal ";

// Takes a line, without its end, from the start of `text`.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

bool take(std::string_view& text, std::string_view beginning) {
  if (!text.starts_with(beginning)) return false;
  text.remove_prefix(beginning.size());
  return true;
}

// Returns `source line 2 col 3` as "line 2, column 3:" after the words for the source.
std::string place_text(std::string_view place) {
  std::string text;
  if (take(place, kTool)) text = "in SQL of tracebraid, ";
  take(place, kFile);
  const size_t line = place.rfind("line ");
  const size_t column = place.rfind(" col ");
  if (line == place.npos || column == place.npos || column < line) return std::string(place);
  return fmt::format("{}{}{}, column {}:", text, place.substr(0, line),
                     place.substr(line, column - line), place.substr(column + 5));
}

// Returns the blanks under `before`, which stands in the line above. Tabs remain tabs.
std::string blanks_under(std::string_view before) {
  std::string blanks;
  while (!before.empty()) {
    const size_t tab = std::min(before.find('\t'), before.size());
    std::string shown;
    append_shown(shown, before.substr(0, tab));
    blanks.append(shown_width(shown), ' ');
    if (tab < before.size()) blanks.push_back('\t');
    before.remove_prefix(std::min(before.size(), tab + 1));
  }
  return blanks;
}

}  // namespace

std::string plain_sql_error(std::string_view message) {
  std::string_view rest = message;
  if (rest.starts_with(kExpanded)) {  // indented, so the traceback cannot be inside
    const size_t end = rest.find(std::string("\n") + std::string(kTraceback));
    if (end == rest.npos) return std::string(message);
    rest.remove_prefix(end + 1);
  }
  if (!take(rest, kTraceback)) return std::string(message);
  std::string text;
  constexpr std::string_view kPlaceIndent = "  ", kTextIndent = "    ";
  while (rest.starts_with(kPlaceIndent) && !rest.starts_with(kTextIndent)) {
    text += place_text(take_line(rest).substr(kPlaceIndent.size())) + "\n";
    if (!rest.starts_with(kTextIndent)) continue;  // a module, whose text is not shown
    const std::string_view sql = take_line(rest).substr(kTextIndent.size());
    text += fmt::format("  {}\n", sql);
    if (!rest.starts_with(kTextIndent)) continue;
    const std::string_view caret = take_line(rest);
    const size_t bytes = std::min(caret.find('^'), caret.size()) - kTextIndent.size();
    text += fmt::format("  {}^\n", blanks_under(sql.substr(0, std::min(bytes, sql.size()))));
  }
  return text + std::string(rest);
}

}  // namespace tracebraid
