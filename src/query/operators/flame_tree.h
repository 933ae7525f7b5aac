// FlameTree: the nodes of a flamegraph after filters and merging, in the order of the result.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "query/operators/flame_config.h"
#include "query/operators/flame_source.h"
#include "query/scan/query_memory.h"

namespace tracebraid {

struct FlameTree {
  static constexpr uint32_t kNone = FlameSource::kNone;
  struct Node {
    uint32_t parent;   // node; kNone: a root
    int32_t depth;     // 1, 2 ... downwards, -1, -2 ... upwards
    uint32_t example;  // the first row of the source that it has
  };
  std::vector<Node> nodes;
  // By value column of the config; the first is the primary one.
  std::vector<Amounts> self, cumulative;
  std::vector<double> x_start;          // of the primary value
  std::vector<size_t> value_columns;    // of the source
  std::vector<size_t> group_columns;    // of the source
  std::vector<size_t> summary_columns;  // of the source, by aggregate of the config
  std::vector<ValueColumn> summaries;   // by aggregate and node
  double total = 0;                     // of the primary value
};

// Errors: Sql for columns that do not exist and patterns that are malformed; those of `stop`;
// Limit.
Result<FlameTree> flame_tree(const FlameSource& source, const FlameConfig& config,
                             const StopCheck& stop, OperatorMemory& memory);

}  // namespace tracebraid
