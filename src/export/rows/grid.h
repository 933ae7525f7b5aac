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
  size_t width = 0;  // width of the widest text so far, including the name
};

// Requires: texts are valid UTF-8 without line ends.
std::vector<GridColumn> grid_columns(std::span<const std::string> names);
void widen(std::vector<GridColumn>& columns, std::span<const std::string> texts);

void append_grid_head(std::string& to, std::span<const GridColumn> columns, GridStyle style);
// A text wider than its column shifts the rest of its row.
void append_grid_row(std::string& to, std::span<const GridColumn> columns,
                     std::span<const std::string> texts, GridStyle style);
void append_grid_foot(std::string& to, std::span<const GridColumn> columns, GridStyle style);

}  // namespace tracebraid
