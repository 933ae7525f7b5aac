#include "export/rows/grid.h"

#include <algorithm>
#include <string_view>

#include "export/rows/letter_width.h"

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
  if (column.cuts)
    append_cut(to, text, column.width);
  else
    to.append(text);
  if (column.align == Align::Left) to.append(pad, ' ');
}

constexpr size_t kLeastText = 8;    // columns of a cut text that still tell something
constexpr size_t kLeastNumber = 6;  // of the name over numbers, which are not cut themselves

// Returns the width to which a column is narrowed before columns are left out.
size_t least_width(const GridColumn& column) {
  if (column.align == Align::Left) return std::min(column.width, kLeastText);
  return std::min(column.width, std::max(column.text_width, kLeastNumber));
}

// Returns the columns of the terminal that are no text: borders and gaps.
size_t frame_width(size_t columns, GridStyle style) {
  return style == GridStyle::Box ? 3 * columns + 1 : 2 * (columns - 1);
}

size_t least_row(std::span<const GridColumn> columns, GridStyle style) {
  size_t width = frame_width(columns.size(), style);
  for (const GridColumn& column : columns) width += least_width(column);
  return width;
}

// Widens narrowed columns up to their wish, one column of the terminal at a time to the narrowest,
// so that the widest lose most.
void spread(std::vector<GridColumn>& columns, std::span<const size_t> wishes, size_t room) {
  while (room > 0) {
    GridColumn* narrowest = nullptr;
    for (size_t i = 0; i < columns.size(); ++i)
      if (columns[i].width < wishes[i] &&
          (narrowest == nullptr || columns[i].width < narrowest->width))
        narrowest = &columns[i];
    if (narrowest == nullptr) return;
    ++narrowest->width;
    --room;
  }
}

}  // namespace

std::vector<GridColumn> grid_columns(std::span<const std::string> names) {
  std::vector<GridColumn> columns;
  for (const std::string& name : names)
    columns.push_back({.name = name, .width = shown_width(name)});
  return columns;
}

void widen(std::vector<GridColumn>& columns, std::span<const std::string> texts) {
  for (size_t i = 0; i < columns.size(); ++i) {
    columns[i].text_width = std::max(columns[i].text_width, shown_width(texts[i]));
    columns[i].width = std::max(columns[i].width, columns[i].text_width);
  }
}

size_t fit(std::vector<GridColumn>& columns, size_t width, GridStyle style) {
  if (columns.empty()) return 0;
  size_t left_out = 0;
  while (columns.size() > (left_out > 0 ? 2 : 1) && least_row(columns, style) > width) {
    if (left_out > 0) columns.pop_back();
    columns.back() = {.name = "…", .width = 1};
    ++left_out;
  }
  std::vector<size_t> wishes;
  for (GridColumn& column : columns) {
    wishes.push_back(column.width);
    column.width = least_width(column);
    column.cuts = true;
  }
  const size_t used = least_row(columns, style);
  if (used <= width) {
    spread(columns, wishes, width - used);
  } else {
    GridColumn& first = columns.front();
    first.width -= std::min(first.width - 1, used - width);
  }
  return left_out;
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
