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

// Returns the first row of `range` with the value of its last row. Requires: the range is not
// empty, and the column is_searchable(). Takes time in proportion to the logarithm of the result's
// distance from the end.
size_t first_equal(const ColumnView& column, RowRange range, const StringPool& strings);

// Returns the rows of an IntegerInSet predicate on the row number, within `range`.
std::vector<uint32_t> rows_in_set(const Predicate& predicate, RowRange range);

// Returns the index of the column, and builds it once lookups without it have scanned as many rows
// as the table has. `rows` is the number of rows that a scan would read now. Null: scan instead.
const RowIndex* index_for(const Table& table, const ColumnView& column, size_t rows,
                          const StopCheck& stop);

// Rows that an OrderedIndex gives, in its order.
struct IndexedRows {
  std::span<const uint32_t> rows;
  std::span<const ColumnView* const> columns;  // whose predicates it serves; empty: no index
};
// Returns the rows from the index that serves the most columns: single values, and a range of the
// last one. No index if the rows are not few of `range_rows`, the rows that a scan would read.
IndexedRows rows_of_ordered_index(const Table& table, std::span<const Predicate> predicates,
                                  size_t range_rows);
// Whether an index of these columns serves the predicate.
bool is_served(const Predicate& predicate, std::span<const ColumnView* const> columns);

}  // namespace tracebraid
