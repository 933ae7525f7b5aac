// Ways to the rows that need no look at each: by row number, by search in a
// sorted column, through an index of rows.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "query/scan/predicate.h"
#include "query/scan/table.h"

namespace tracebraid {

// Half-open range of rows.
struct RowRange {
  size_t begin, end;
};

// Cuts `range` down to the rows that satisfy the predicate, if its column
// is_searchable() and the predicate is a range of values. True: it did, and the
// predicate needs no further look.
bool narrow_range(const Predicate& predicate, const Table& table, RowRange& range);

// Rows numbered by an IntegerInSet predicate on a row number, within `range`.
std::vector<uint32_t> rows_in_set(const Predicate& predicate, RowRange range);

// The index for equality on the column, if it has one or this is the moment to
// make it: when lookups without it have scanned as many rows as there are.
// `rows` is what a scan would have to look at now. Null: scan.
const RowIndex* index_for(const Table& table, const ColumnView& column, size_t rows,
                          const StopCheck& stop);

}  // namespace tracebraid
