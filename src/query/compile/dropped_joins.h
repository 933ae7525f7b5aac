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
  // A column of the grouped table: the number of the joined row, the argument of a table function,
  // or what equals `joined`.
  const ColumnView* column;
  // A column of the source, whose rows are counted; null for the other joins.
  const ColumnView* joined = nullptr;
  std::vector<size_t> conditions = {};  // of WHERE that read the source only
};

// Finds joins to the row with a number (`JOIN slice AS parent ON parent.id = slice.parent_id`), and
// at most one that is counted: a table function of a column (`ancestor_slice(slice.id)`), or a
// table with an equal column (`JOIN args USING (arg_set_id)`).
std::vector<DroppedJoin> dropped_joins(const NamedSelect& query, size_t table);

}  // namespace tracebraid
