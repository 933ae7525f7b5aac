// JoinedCounts: how many rows of a table join each value of a column.
//
// Input: a table, filters, a column of integers. Output: counts by value. Called by the push-down
// of query/compile.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/workers.h"
#include "query/group/group_rows.h"
#include "query/scan/query_memory.h"

namespace tracebraid {

struct JoinedCounts {
  const Table* table = nullptr;
  const ColumnView* column = nullptr;  // of integers, for which is_groupable() holds
  std::vector<GroupFilter> filters;
  std::vector<uint32_t> counts;  // by value; values beyond the end have no row

  int64_t of(int64_t value) const {
    return value < 0 || static_cast<uint64_t>(value) >= counts.size()
               ? 0
               : counts[static_cast<size_t>(value)];
  }
};

// Sets the counts, whose bytes `memory` takes. Returns false if stopped, or if the values are
// negative or so large that an array of them is not worth its memory. Error: Limit.
Result<bool> count_rows(JoinedCounts& joined, Workers& workers, const StopCheck& stop,
                        OperatorMemory& memory);

}  // namespace tracebraid
