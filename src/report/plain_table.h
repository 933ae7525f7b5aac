// Tables of the reports, which fit the width of a terminal.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "export/rows/grid.h"

namespace tracebraid {

// Wraps prose that stands at this indent on a terminal of `width` columns, or of the widest lines
// of prose if that is 0.
std::string wrap_prose(std::string_view text, size_t width, size_t indent);

// Wraps lines that are wider than the terminal; the rest of a line is indented by 4 more columns.
std::string fit_lines(std::string_view text, size_t width);

// Returns rows in aligned columns below the names of the columns, if there are any. If `width` is
// not 0, narrows columns so that lines have at most this width; texts are cut with an ellipsis, and
// a last line names the columns that do not fit.
std::string plain_table(std::vector<GridColumn> columns,
                        std::span<const std::vector<std::string>> rows, size_t width);

}  // namespace tracebraid
