// IntersectionText: an intersection of intervals in the text of a statement, as the macros of
// intervals.intersect write it:
//
//   (SELECT c0 AS ts, c1 AS dur, c2 AS id_0 ... c17 AS cpu FROM __intrinsic_table_columns(
//     __intrinsic_interval_intersect(
//       (SELECT __intrinsic_interval_tree_intervals_agg(input.id, input.ts, input.dur, 'cpu',
//        input.cpu) FROM sched AS input), ..., '(cpu)')))
//
// Input: a statement whose macros are expanded. Output: its parts. Called by computed_rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tracebraid {

struct IntersectionText {
  struct Column {
    size_t position;  // in the result of the operator
    std::string name;
  };

  // A SELECT of id, ts, dur and the partition columns, and the names of the latter.
  struct Input {
    std::string select;
    std::vector<std::string> partitions;
  };

  size_t begin = 0, end = 0;    // bytes in the statement, with the outer brackets
  std::vector<Column> columns;  // of the outer SELECT
  std::vector<Input> inputs;
  std::string partition_list;  // "(cpu, utid)"
};

// Finds intersections outside of one another. Leaves out those of another form, and those that may
// refer to other parts of the statement: to variables or to tables of WITH.
std::vector<IntersectionText> intersections_in(std::string_view sql);

}  // namespace tracebraid
