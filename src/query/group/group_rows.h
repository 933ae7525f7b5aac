// Groups the rows of a table column by column, with the result of GROUP BY.
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

#include "base/result.h"
#include "query/scan/plan.h"
#include "query/scan/query_memory.h"
#include "query/scan/scan.h"
#include "query/scan/table.h"

namespace tracebraid {

// Aggregates over the rows of a group.
enum class GroupValue : uint8_t {
  Rows,   // number of rows
  Count,  // number of values that are not NULL
  Sum,    // sum of these values; NULL without any, as for Min and Max
  Min,
  Max,
};

struct GroupColumn {
  GroupValue value;
  const ColumnView* column;  // null for Rows
  friend bool operator==(const GroupColumn&, const GroupColumn&) = default;
};

struct GroupKey {
  std::string name;  // name of the result column
  const ColumnView* column;
};

// `column op values`, as in Constraint.
struct GroupFilter {
  PlanTerm term;
  std::vector<Cell> values;
};

struct GroupQuery {
  const Table* table = nullptr;
  std::vector<GroupFilter> filters;
  // Columns for which is_groupable() holds; none: all rows are one group.
  std::vector<GroupKey> keys;
  std::vector<GroupColumn>
      columns;  // Sum of integer columns only, others of columns that are is_aggregable()
};

bool is_groupable(const ColumnView& column);
bool is_aggregable(const ColumnView& column);
bool may_be_null(const ColumnView& column);

// Returns the names of keys and hidden columns of the result.
std::string group_column_name(size_t index);

enum class Grouping : uint8_t {
  Done,
  // Unsuitable: nearly every row is a group, or sums depend on the order of rows. SQLite must run
  // the statement.
  GaveUp,
  Stopped,
};

// The groups in the order of their first rows, as a table. `table` is null unless Done.
struct Groups {
  explicit Groups(QueryMemory* of) : memory(of) {}
  Grouping outcome = Grouping::Done;
  std::deque<std::string> names;  // of the table and its columns
  std::deque<Column<int64_t>> integers;
  std::deque<Column<OptInt>> optional_integers;
  std::deque<Column<OptRow>> rows;
  std::deque<Column<double>> reals;
  std::deque<Column<StringId>> texts;
  std::unique_ptr<Table> table;
  ScanCounts counts;  // of the scan
  OperatorMemory memory;
};
// Sets `groups`, except `memory`, which takes their bytes. Error: Limit.
Result<> group_rows(const GroupQuery& query, std::string_view name, const StopCheck& stop,
                    Groups& groups);

}  // namespace tracebraid
