// Reads blocks of a column as 64-bit words, for grouping and for derived columns.
#pragma once

#include <cstdint>
#include <vector>

#include "query/scan/column_values.h"
#include "query/scan/scan.h"

namespace tracebraid {

// Values of a column in a block of rows: integers as visit_integers() returns them, reals as bits.
using Values = std::vector<int64_t>;

// The type as which read_values() returns the values. A Computed column with ColumnView::read
// counts as OptInt or, if its texts are in the pool, as String; other Computed columns stay so.
CellType type_read(const ColumnView& column);

// The domain of values that are not NULL. Requires: type_read() is neither Double nor Computed.
Domain domain_read(const ColumnView& column);

// Returns false if a value is the one that stands for NULL. Requires: type_read() is not Computed.
// Any thread may call it.
[[nodiscard]] bool read_values(const ColumnView& column, const Scan::Rows& rows, Values& values);

}  // namespace tracebraid
