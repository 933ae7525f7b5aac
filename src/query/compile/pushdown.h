// Aggregate push-down: rewrites a statement that groups a large table of ours, alone or joined to
// others, to a statement over the groups of that table.
//
//   SELECT thread.name, sum(dur) FROM sched JOIN thread USING (utid) WHERE dur > 5 GROUP BY 1
//   SELECT thread.name, sum(sched.__intrinsic_0)
//   FROM groups AS sched JOIN thread USING (utid) WHERE 1 GROUP BY 1
//
// where `groups` has a row for each utid of the rows of sched with dur > 5: all columns that the
// statement uses outside of aggregates are keys. Joins of a row depend on its keys only, so they
// are equal for all rows of a group.
//
// Aggregates of a pure function of a column become aggregates of a derived column. A join of which
// no column is read is left out: to a row by its number becomes a condition, and the rows of a
// table function are counted:
//
//   SELECT count(*) FROM slice, ancestor_slice(slice.id)
//   SELECT count(*) FROM slice JOIN args USING (arg_set_id) WHERE key = 'x'
//   SELECT ifnull(sum(slice.__intrinsic_0),0) FROM groups AS slice
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/workers.h"
#include "query/compile/relation.h"
#include "query/compile/select_names.h"
#include "query/functions/sql_function.h"
#include "query/group/derived_column.h"
#include "query/group/group_rows.h"
#include "query/group/joined_counts.h"

namespace tracebraid {

// The functions of a connection that a statement may call, and what ends their calls.
struct PushdownFunctions {
  TableFunctionOf table_function;
  // Returns null if there is no such function, or it is not pure.
  std::function<const SqlFunction*(std::string_view name, size_t arguments)> function;
  const StopCheck& stop;
  unsigned threads = 1;
};

struct Pushdown {
  std::unique_ptr<Workers> workers;  // of the derived columns; outlives them
  std::vector<std::unique_ptr<DerivedColumn>> derived;
  std::vector<std::unique_ptr<const ColumnView>> views;  // of the derived columns
  GroupQuery groups;                               // the values of its filters are not set yet
  std::vector<std::vector<std::string>> literals;  // literals of each filter, as SQL
  bool narrows_joins = false;  // whether WHERE has conditions that are not among `groups.filters`
  // A join that is left out, whose rows are not counted yet, and the literals of its filters; null
  // if there is none.
  std::unique_ptr<JoinedCounts> joined;
  std::vector<std::vector<std::string>> joined_literals;
  std::string sql;  // refers to a table named `groups_name`
};

// Rewrites `sql`, one statement that SQLite has compiled. Its variables have the form ?N; `values`
// are their values, values[0] of ?1. Returns nothing if a part of the statement is not supported,
// or its table has fewer rows than `least_rows`. What `functions` refers to must outlive the
// result.
std::optional<Pushdown> push_down(std::string_view sql, std::span<const Cell> values,
                                  const RelationOf& relation_of, std::string_view groups_name,
                                  size_t least_rows, const PushdownFunctions& functions);

}  // namespace tracebraid
