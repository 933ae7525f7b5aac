// Grouping of the rows of a table by its columns: what GROUP BY does, column by column and not
// row by row.
//
// Input: a scan, key columns and aggregates. Output: a table with one row per group. Called by the
// push-down of query/compile.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "query/scan/plan.h"
#include "query/scan/table.h"

namespace tracebraid {

// Of the rows of a group.
enum class GroupValue : uint8_t {
  Rows,   // how many
  Count,  // how many are not NULL in the column
  Sum,    // of those, as the smallest and greatest; NULL without any
  Min,
  Max,
};

struct GroupColumn {
  GroupValue value;
  const ColumnView* column;  // null for Rows
  friend bool operator==(const GroupColumn&, const GroupColumn&) = default;
};

struct GroupKey {
  std::string name;  // of the column of the result
  const ColumnView* column;
};

// `column op values`, as Constraint.
struct GroupFilter {
  PlanTerm term;
  std::vector<Cell> values;
};

struct GroupQuery {
  const Table* table = nullptr;
  std::vector<GroupFilter> filters;
  std::vector<GroupKey> keys;        // is_groupable(); none: all rows are one group
  std::vector<GroupColumn> columns;  // Sum only of integers, the others of is_aggregable()
};

bool is_groupable(const ColumnView& column);
bool is_aggregable(const ColumnView& column);
bool may_be_null(const ColumnView& column);

// The columns of the result are the keys, and hidden ones that these name.
std::string group_column_name(size_t index);

enum class Grouping : uint8_t {
  Done,
  // Nearly every row is a group, or there are sums that depend on the order of the rows:
  // SQLite is to do it.
  GaveUp,
  Stopped,
};

// Groups in the order of their first rows, as a table. `table` is null if not Done.
struct Groups {
  Grouping outcome = Grouping::Done;
  std::deque<std::string> names;  // of the table and its columns
  std::deque<Column<int64_t>> integers;
  std::deque<Column<OptInt>> optional_integers;
  std::deque<Column<OptRow>> rows;
  std::deque<Column<double>> reals;
  std::deque<Column<StringId>> texts;
  std::unique_ptr<Table> table;
};
Groups group_rows(const GroupQuery& query, std::string_view name, const StopCheck& stop);

}  // namespace tracebraid
