// The functions of graphs (spec sql-dialect 3.10): searches, dominators, partitions of trees.
#pragma once

#include <memory>

#include "query/operators/graph.h"
#include "query/operators/operator_context.h"

namespace tracebraid {

// The graph of __intrinsic_graph_agg.
struct GraphValue {
  static constexpr const char* kPointerName = "GRAPH";
  explicit GraphValue(QueryMemory* of) : memory(of) {}
  Graph graph;
  OperatorMemory memory;
};

// Error: Sql if the value is not the id of a node.
Result<uint32_t> node_id_of(sqlite3_value* value);

// Adds __intrinsic_graph_agg, __intrinsic_dfs, __intrinsic_bfs, __intrinsic_dominator_tree,
// __intrinsic_structural_tree_partition and our own __intrinsic_weighted_graph_agg and
// __intrinsic_weight_bounded_dfs. The context must outlive the connection.
Result<> add_graph_functions(OperatorContext& context);

}  // namespace tracebraid
