#include "query/operators/graph_functions.h"

#include <fmt/core.h>

#include <algorithm>

#include "query/operators/operator_function.h"
#include "query/operators/result_table.h"
#include "query/operators/row_tables.h"
#include "query/operators/tree_partition.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

constexpr size_t kRowsPerCheck = 4096;
constexpr size_t kBytesPerEdge = 64;  // with the nodes

void add_node(ValueColumn& column, uint32_t id) {
  if (id == Graph::kNone)
    column.add_null();
  else
    column.add_integer(id);
}

// Collects edges (source, target[, weight]).
template <bool kHasWeights>
class GraphAggregate {
 public:
  explicit GraphAggregate(const OperatorContext& context)
      : context_(context), value_(std::make_shared<GraphValue>(context.memory)) {}
  Result<> add(Arguments arguments) {
    if (rows_++ % kRowsPerCheck == 0) TB_TRY(value_->memory.take(kRowsPerCheck * kBytesPerEdge));
    TB_TRY_ASSIGN(const uint32_t source, node_id_of(arguments[0]));
    TB_TRY_ASSIGN(const uint32_t target, node_id_of(arguments[1]));
    value_->graph.add_edge(source, target, kHasWeights ? sqlite3_value_double(arguments[2]) : 0.0);
    return {};
  }
  Result<> finish(sqlite3_context* context) {
    if (!value_->graph.finish(*context_.stop)) return tl::unexpected(context_.stop->error());
    set_pointer<GraphValue>(context, std::move(value_));
    return {};
  }

 private:
  const OperatorContext& context_;
  std::shared_ptr<GraphValue> value_;
  size_t rows_ = 0;
};

Result<std::vector<uint32_t>> ids_of(const ValueArray& array, const StopCheck& stop) {
  PacedStopCheck check(stop);
  std::vector<uint32_t> ids;
  for (size_t i = 0; i < array.values.size(); ++i) {
    if (check.stopped()) return tl::unexpected(check.error());
    const Cell id = array.values.cell(i);
    if (id.kind != Cell::Kind::Int || id.integer < 0 || id.integer >= int64_t{Graph::kNone})
      return fail(ErrorCode::Sql, "graph: node ids must be non-negative 32-bit integers");
    ids.push_back(static_cast<uint32_t>(id.integer));
  }
  return ids;
}

Result<std::shared_ptr<StoredResult>> table_of(const std::vector<VisitedNode>& visited,
                                               const StopCheck& stop) {
  PacedStopCheck check(stop);
  auto table =
      std::make_shared<StoredResult>(std::vector<std::string>{"node_id", "parent_node_id"});
  for (const VisitedNode& node : visited) {
    if (check.stopped()) return tl::unexpected(check.error());
    table->column(0).add_integer(node.id);
    add_node(table->column(1), node.parent);
  }
  return table;
}

// __intrinsic_dfs(graph, starts), __intrinsic_bfs(graph, starts). A graph without edges is NULL,
// and so has no rows.
template <SearchOrder kOrder>
Result<> search(sqlite3_context* context, OperatorContext& operators, Arguments arguments) {
  const auto graph = pointer_of<GraphValue>(arguments[0]);
  const auto starts = pointer_of<ValueArray>(arguments[1]);
  std::vector<VisitedNode> visited;
  if (graph != nullptr && starts != nullptr) {
    TB_TRY_ASSIGN(const std::vector<uint32_t> ids, ids_of(*starts, *operators.stop));
    if (!reach(graph->graph, ids, kOrder, *operators.stop, visited))
      return tl::unexpected(operators.stop->error());
  }
  TB_TRY_ASSIGN(std::shared_ptr<StoredResult> table, table_of(visited, *operators.stop));
  set_pointer<ResultTable>(context, std::move(table));
  return {};
}

// __intrinsic_weight_bounded_dfs(graph, roots, target weights, is_floor)
Result<> search_by_weight(sqlite3_context* context, OperatorContext& operators,
                          Arguments arguments) {
  const auto graph = pointer_of<GraphValue>(arguments[0]);
  const auto roots = pointer_of<ValueArray>(arguments[1]);
  const auto limits = pointer_of<ValueArray>(arguments[2]);
  const WeightLimit kind =
      sqlite3_value_int64(arguments[3]) != 0 ? WeightLimit::Floor : WeightLimit::Ceiling;
  auto table = std::make_shared<StoredResult>(
      std::vector<std::string>{"root_node_id", "node_id", "parent_node_id"});
  OperatorMemory memory(operators.memory);
  if (graph != nullptr && roots != nullptr && limits != nullptr) {
    TB_TRY_ASSIGN(const std::vector<uint32_t> ids, ids_of(*roots, *operators.stop));
    PacedStopCheck check(*operators.stop);
    for (size_t i = 0; i < ids.size() && i < limits->values.size(); ++i) {
      const Cell limit = limits->values.cell(i);
      std::vector<VisitedNode> visited;
      if (!reach_by_weight(
              graph->graph, ids[i],
              limit.kind == Cell::Kind::Int ? static_cast<double>(limit.integer) : limit.real, kind,
              *operators.stop, visited))
        return tl::unexpected(operators.stop->error());
      constexpr size_t kColumns = 3;
      TB_TRY(memory.take(visited.size() * kColumns * sizeof(int64_t)));
      for (const VisitedNode& node : visited) {
        if (check.stopped()) return tl::unexpected(check.error());
        table->column(0).add_integer(ids[i]);
        table->column(1).add_integer(node.id);
        add_node(table->column(2), node.parent);
      }
    }
  }
  set_pointer<ResultTable>(context, std::move(table));
  return {};
}

// __intrinsic_dominator_tree(source, target, root)
class DominatorAggregate {
 public:
  static constexpr bool kHasEmptyResult = true;
  explicit DominatorAggregate(const OperatorContext& context)
      : context_(context), memory_(context.memory) {}
  Result<> add(Arguments arguments) {
    if (rows_++ % kRowsPerCheck == 0) TB_TRY(memory_.take(kRowsPerCheck * 2 * kBytesPerEdge));
    TB_TRY_ASSIGN(const uint32_t source, node_id_of(arguments[0]));
    TB_TRY_ASSIGN(const uint32_t target, node_id_of(arguments[1]));
    TB_TRY_ASSIGN(root_, node_id_of(arguments[2]));
    graph_.add_edge(source, target);
    return {};
  }
  Result<> finish(sqlite3_context* context) {
    auto table =
        std::make_shared<StoredResult>(std::vector<std::string>{"node_id", "dominator_node_id"});
    const StopCheck& stop = *context_.stop;
    if (!graph_.finish(stop)) return tl::unexpected(stop.error());
    if (const uint32_t root = graph_.node(root_); root != Graph::kNone) {
      const auto found = dominators(graph_, root, stop);
      if (!found) return tl::unexpected(stop.error());
      PacedStopCheck check(stop);
      for (uint32_t node = 0; node < found->size(); ++node) {
        if (check.stopped()) return tl::unexpected(check.error());
        if (node != root && (*found)[node] == Graph::kNone) continue;
        table->column(0).add_integer(graph_.id(node));
        add_node(table->column(1), node == root ? Graph::kNone : graph_.id((*found)[node]));
      }
    }
    set_pointer<ResultTable>(context, std::move(table));
    return {};
  }

 private:
  const OperatorContext& context_;
  OperatorMemory memory_;
  Graph graph_;
  uint32_t root_ = 0;
  size_t rows_ = 0;
};

// __intrinsic_structural_tree_partition(id, parent_id, group)
class PartitionAggregate {
 public:
  static constexpr bool kHasEmptyResult = true;
  explicit PartitionAggregate(const OperatorContext& context)
      : context_(context), memory_(context.memory) {}
  Result<> add(Arguments arguments) {
    if (nodes_.size() % kRowsPerCheck == 0) TB_TRY(memory_.take(kRowsPerCheck * 2 * kBytesPerEdge));
    GroupedNode node{0, std::nullopt, sqlite3_value_int64(arguments[2])};
    TB_TRY_ASSIGN(node.id, node_id_of(arguments[0]));
    if (sqlite3_value_type(arguments[1]) != SQLITE_NULL) {
      TB_TRY_ASSIGN(node.parent, node_id_of(arguments[1]));
    }
    nodes_.push_back(node);
    return {};
  }
  Result<> finish(sqlite3_context* context) {
    TB_TRY(partition_tree(nodes_, *context_.stop));
    auto table = std::make_shared<StoredResult>(
        std::vector<std::string>{"node_id", "parent_node_id", "group_key"});
    PacedStopCheck check(*context_.stop);
    for (const GroupedNode& node : nodes_) {
      if (check.stopped()) return tl::unexpected(check.error());
      table->column(0).add_integer(node.id);
      add_node(table->column(1), node.parent.value_or(Graph::kNone));
      table->column(2).add_integer(node.group);
    }
    set_pointer<ResultTable>(context, std::move(table));
    return {};
  }

 private:
  const OperatorContext& context_;
  OperatorMemory memory_;
  std::vector<GroupedNode> nodes_;
};

}  // namespace

Result<uint32_t> node_id_of(sqlite3_value* value) {
  const int64_t id = sqlite3_value_int64(value);
  if (sqlite3_value_type(value) != SQLITE_INTEGER || id < 0 || id >= int64_t{Graph::kNone})
    return fail(ErrorCode::Sql, "graph: node ids must be non-negative 32-bit integers");
  return static_cast<uint32_t>(id);
}

Result<> add_graph_functions(OperatorContext& context) {
  TB_TRY(add_operator_aggregate<GraphAggregate<false>>(context, "__intrinsic_graph_agg", 2));
  TB_TRY(
      add_operator_aggregate<GraphAggregate<true>>(context, "__intrinsic_weighted_graph_agg", 3));
  TB_TRY(add_operator_function<search<SearchOrder::DepthFirst>>(context, "__intrinsic_dfs", 2));
  TB_TRY(add_operator_function<search<SearchOrder::BreadthFirst>>(context, "__intrinsic_bfs", 2));
  TB_TRY(add_operator_function<search_by_weight>(context, "__intrinsic_weight_bounded_dfs", 4));
  TB_TRY(add_operator_aggregate<DominatorAggregate>(context, "__intrinsic_dominator_tree", 3));
  return add_operator_aggregate<PartitionAggregate>(context,
                                                    "__intrinsic_structural_tree_partition", 3);
}

}  // namespace tracebraid
