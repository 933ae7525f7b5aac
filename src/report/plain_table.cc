#include "report/plain_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "export/rows/letter_width.h"
#include "report/text.h"

namespace tracebraid {
namespace {

// The narrowest and the widest lines of prose, in columns of a terminal.
constexpr size_t kLeastProse = 30, kMostProse = 90;

// Returns the columns right of an indent, at least those of the narrowest prose.
size_t room(size_t width, size_t indent) {
  return std::max(width - std::min(width, indent), kLeastProse);
}

}  // namespace

std::string wrap_prose(std::string_view text, size_t width, size_t indent) {
  return wrap(text, width == 0 ? kMostProse : std::min(room(width, indent), kMostProse), indent);
}

std::string fit_lines(std::string_view text, size_t width) {
  constexpr size_t kRest = 4;
  if (width == 0) return std::string(text);
  std::string fitted;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const size_t indent = std::min(line.find_first_not_of(' '), line.size());
    fitted += line.substr(0, indent);
    const std::string_view words = line.substr(indent);
    const size_t rest = indent + kRest;
    fitted +=
        shown_width(line) <= width ? std::string(words) : wrap(words, room(width, rest), rest);
    fitted += '\n';
  }
  return fitted;
}

std::string plain_table(std::vector<GridColumn> columns,
                        std::span<const std::vector<std::string>> rows, size_t width) {
  const size_t given = columns.size();
  for (const auto& row : rows) widen(columns, row);
  const size_t left_out = width == 0 ? 0 : fit(columns, width, GridStyle::Plain);
  std::vector<std::string> names;
  for (const GridColumn& column : columns) names.push_back(column.name);
  std::string text;
  if (std::ranges::any_of(columns, [](const GridColumn& column) { return !column.name.empty(); }))
    append_grid_row(text, columns, names, GridStyle::Plain);
  for (const auto& row : rows) {
    std::vector<std::string> texts(row.begin(),
                                   row.begin() + static_cast<ptrdiff_t>(columns.size()));
    if (left_out > 0) texts.back() = "…";
    append_grid_row(text, columns, texts, GridStyle::Plain);
  }
  if (left_out > 0)
    text += fmt::format("({} of {} columns; --wide prints all)\n", given - left_out, given);
  return text;
}

}  // namespace tracebraid
