// Functions of the rows of a table as the values of a DerivedColumn.
//
// Input: functions of SQL and a column that is their first argument. Output: integers. Called by
// the push-down; any thread evaluates them.
#pragma once

#include <span>
#include <vector>

#include "query/functions/sql_function.h"
#include "query/functions/table_function.h"
#include "query/group/derived_column.h"
#include "query/group/joined_counts.h"
#include "query/group/read_values.h"

namespace tracebraid {

// The results of `function(column, constants...)`, which must be pure. `needs_integers`: another
// value ends the evaluation; otherwise only whether it is NULL counts. All arguments but the
// constants must outlive the result.
DerivedColumn::Evaluate results_of(const SqlFunction& function, const ColumnView& column,
                                   std::vector<Cell> constants, bool needs_integers,
                                   const StopCheck& stop);

// Sets `values` and `valid` to the results of `function(column, constants...)` for some rows, whose
// number is that of `valid`. Returns false if a value cannot be read or call_for_integers() fails.
// Requires: the function has call_for_integers.
bool call_for_rows(const SqlFunction& function, const ColumnView& column,
                   std::span<const Cell> constants, const Scan::Rows& rows, Values& values,
                   std::span<bool> valid);

// The numbers of rows of `function(column)`. The arguments must outlive the result.
DerivedColumn::Evaluate row_counts_of(const TableFunction& function, const ColumnView& column,
                                      const StopCheck& stop);

// The numbers of rows of `joined`, whose counts are set before the first call, for the values of
// `column`. The arguments must outlive the result.
DerivedColumn::Evaluate row_counts_of(const JoinedCounts& joined, const ColumnView& column,
                                      const StopCheck& stop);

}  // namespace tracebraid
