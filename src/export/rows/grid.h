// Grid: formats rows of texts in aligned columns.
//
//   name  count        ┌──────┬───────┐
//   ----  -----        │ name │ count │
//   draw     12        ├──────┼───────┤
//   main      3        │ draw │    12 │
//                      └──────┴───────┘
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tracebraid {

enum class Align : uint8_t { Left, Right };
enum class GridStyle : uint8_t { Plain, Box };

struct GridColumn {
  std::string name;
  Align align = Align::Left;
  size_t width = 0;       // of the widest text so far, including the name
  size_t text_width = 0;  // without the name
  bool cuts = false;      // wider texts are cut, with an ellipsis
};

// Requires: texts are valid UTF-8 without line ends.
std::vector<GridColumn> grid_columns(std::span<const std::string> names);
void widen(std::vector<GridColumn>& columns, std::span<const std::string> texts);

// Narrows the columns so that a row takes at most `width` columns of a terminal, the widest first;
// numbers (Align::Right) last. If even narrow columns do not fit, replaces columns at the end by
// one named "…". Returns how many it replaced.
size_t fit(std::vector<GridColumn>& columns, size_t width, GridStyle style);

void append_grid_head(std::string& to, std::span<const GridColumn> columns, GridStyle style);
// A text wider than its column is cut, or else shifts the rest of its row.
void append_grid_row(std::string& to, std::span<const GridColumn> columns,
                     std::span<const std::string> texts, GridStyle style);
void append_grid_foot(std::string& to, std::span<const GridColumn> columns, GridStyle style);

}  // namespace tracebraid
