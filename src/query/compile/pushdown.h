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
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/compile/relation.h"
#include "query/group/group_rows.h"

namespace tracebraid {

struct Pushdown {
  GroupQuery groups;                               // the values of its filters are not set yet
  std::vector<std::vector<std::string>> literals;  // those of each filter, as SQL
  std::string sql;                                 // over a table that is called `groups_name`
};

// `sql` is one statement that SQLite has compiled. Its variables are written ?N; `values` are
// theirs, values[0] of ?1. Nothing: it is not understood in full, or its table has fewer than
// `least_rows`.
std::optional<Pushdown> push_down(std::string_view sql, std::span<const Cell> values,
                                  const RelationOf& relation_of, std::string_view groups_name,
                                  size_t least_rows);

}  // namespace tracebraid
