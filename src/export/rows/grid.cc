#include "export/rows/grid.h"

#include <algorithm>
#include <string_view>

#include "export/rows/cell_text.h"

namespace tracebraid {
namespace {

// Appends a line between rows of a box: corners, crossings, and `─` in the width of each column.
void append_rule(std::string& to, std::span<const GridColumn> columns, std::string_view left,
                 std::string_view cross, std::string_view right) {
  to.append(left);
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) to.append(cross);
    for (size_t n = 0; n < columns[i].width + 2; ++n) to.append("─");
  }
  to.append(right).push_back('\n');
}

void append_aligned(std::string& to, const GridColumn& column, std::string_view text) {
  const size_t width = shown_width(text);
  const size_t pad = column.width > width ? column.width - width : 0;
  if (column.align == Align::Right) to.append(pad, ' ');
  to.append(text);
  if (column.align == Align::Left) to.append(pad, ' ');
}

}  // namespace

std::vector<GridColumn> grid_columns(std::span<const std::string> names) {
  std::vector<GridColumn> columns;
  for (const std::string& name : names)
    columns.push_back({.name = name, .width = shown_width(name)});
  return columns;
}

void widen(std::vector<GridColumn>& columns, std::span<const std::string> texts) {
  for (size_t i = 0; i < columns.size(); ++i)
    columns[i].width = std::max(columns[i].width, shown_width(texts[i]));
}

void append_grid_head(std::string& to, std::span<const GridColumn> columns, GridStyle style) {
  std::vector<std::string> names, dashes;
  for (const GridColumn& column : columns) {
    names.push_back(column.name);
    dashes.emplace_back(column.width, '-');
  }
  if (style == GridStyle::Box) append_rule(to, columns, "┌", "┬", "┐");
  append_grid_row(to, columns, names, style);
  if (style == GridStyle::Box)
    append_rule(to, columns, "├", "┼", "┤");
  else
    append_grid_row(to, columns, dashes, style);
}

void append_grid_row(std::string& to, std::span<const GridColumn> columns,
                     std::span<const std::string> texts, GridStyle style) {
  const bool box = style == GridStyle::Box;
  const size_t start = to.size();
  if (box) to.append("│ ");
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) to.append(box ? " │ " : "  ");
    append_aligned(to, columns[i], texts[i]);
  }
  if (box)
    to.append(" │");
  else
    while (to.size() > start && to.back() == ' ') to.pop_back();
  to.push_back('\n');
}

void append_grid_foot(std::string& to, std::span<const GridColumn> columns, GridStyle style) {
  if (style == GridStyle::Box) append_rule(to, columns, "└", "┴", "┘");
}

}  // namespace tracebraid
