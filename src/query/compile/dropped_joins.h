// Joins that a grouping of one table replaces by a condition or by a factor of the count.
//
// Input: a SELECT and the table that is grouped. Output: joins to leave out. Called by the
// push-down.
#pragma once

#include <vector>

#include "query/compile/named_select.h"

namespace tracebraid {

// An item of FROM of which the statement reads no column except to join it.
struct DroppedJoin {
  size_t source;
  // A column of the grouped table: the number of the joined row, or the argument of a table
  // function.
  const ColumnView* column;
};

// Finds joins to the row with a number (`JOIN slice AS parent ON parent.id = slice.parent_id`), and
// at most one table function of a column (`ancestor_slice(slice.id)`).
std::vector<DroppedJoin> dropped_joins(const NamedSelect& query, size_t table);

}  // namespace tracebraid
