// Narrows a scan without reading all rows: by row number, by binary search in a sorted column, by
// an index.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "query/scan/predicate.h"
#include "query/scan/table.h"

namespace tracebraid {

// A half-open range of rows.
struct RowRange {
  size_t begin, end;
};

// Narrows `range` to the rows that satisfy the predicate, if its column is_searchable() and the
// predicate is a range of values. Returns whether it did; then the predicate needs no further
// check.
bool narrow_range(const Predicate& predicate, const Table& table, RowRange& range);

// Returns the rows of an IntegerInSet predicate on the row number, within `range`.
std::vector<uint32_t> rows_in_set(const Predicate& predicate, RowRange range);

// Returns the index of the column, and builds it once lookups without it have scanned as many rows
// as the table has. `rows` is the number of rows that a scan would read now. Null: scan instead.
const RowIndex* index_for(const Table& table, const ColumnView& column, size_t rows,
                          const StopCheck& stop);

}  // namespace tracebraid
