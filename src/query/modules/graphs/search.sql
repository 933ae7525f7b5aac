-- Searches of graphs. Ids of nodes are integers from 0 to 4294967294.

-- The nodes that can be reached, depth first.
CREATE PERFETTO MACRO graph_reachable_dfs(
  -- Edges: source_node_id, dest_node_id. Without edges there are no rows.
  graph_table TableOrSubquery,
  -- Nodes to start from: node_id.
  start_nodes TableOrSubquery
)
-- Rows: node_id, parent_node_id (the node that it was reached from; NULL for a start), in the order
-- of visits.
RETURNS TableOrSubquery AS
(
  SELECT c0 AS node_id, c1 AS parent_node_id
  FROM __intrinsic_table_ptr(
    __intrinsic_dfs(
      (SELECT __intrinsic_graph_agg(source_node_id, dest_node_id) FROM $graph_table),
      (SELECT __intrinsic_array_agg(node_id) FROM $start_nodes)
    )
  )
  WHERE __intrinsic_table_ptr_bind(c0, 'node_id')
    AND __intrinsic_table_ptr_bind(c1, 'parent_node_id')
);

-- The nodes that can be reached, breadth first.
CREATE PERFETTO MACRO graph_reachable_bfs(
  -- Edges: source_node_id, dest_node_id. Without edges there are no rows.
  graph_table TableOrSubquery,
  -- Nodes to start from: node_id.
  start_nodes TableOrSubquery
)
-- Rows: node_id, parent_node_id (the node that it was reached from; NULL for a start), in the order
-- of visits.
RETURNS TableOrSubquery AS
(
  SELECT c0 AS node_id, c1 AS parent_node_id
  FROM __intrinsic_table_ptr(
    __intrinsic_bfs(
      (SELECT __intrinsic_graph_agg(source_node_id, dest_node_id) FROM $graph_table),
      (SELECT __intrinsic_array_agg(node_id) FROM $start_nodes)
    )
  )
  WHERE __intrinsic_table_ptr_bind(c0, 'node_id')
    AND __intrinsic_table_ptr_bind(c1, 'parent_node_id')
);

-- The next node among those of one parent.
CREATE PERFETTO MACRO graph_next_sibling(
  -- Nodes: node_id, node_parent_id, sort_key.
  graph_table TableOrSubquery
)
-- Rows: node_id, next_node_id (NULL for the last).
RETURNS TableOrSubquery AS
(
  SELECT
    node_id,
    lead(node_id) OVER (PARTITION BY node_parent_id ORDER BY sort_key) AS next_node_id
  FROM $graph_table
);

-- The nodes that can be reached depth first within a sum of weights.
CREATE PERFETTO MACRO graph_reachable_weight_bounded_dfs(
  -- Edges: source_node_id, dest_node_id, edge_weight.
  graph_table TableOrSubquery,
  -- Nodes to start from: root_node_id, root_target_weight.
  root_table TableOrSubquery,
  -- 0: nodes up to the target weight; 1: also the first node of a path that passes it.
  is_target_weight_floor Expr
)
-- Rows: root_node_id, node_id, parent_node_id.
RETURNS TableOrSubquery AS
(
  SELECT c0 AS root_node_id, c1 AS node_id, c2 AS parent_node_id
  FROM __intrinsic_table_ptr(
    __intrinsic_weight_bounded_dfs(
      (
        SELECT __intrinsic_weighted_graph_agg(source_node_id, dest_node_id, edge_weight)
        FROM $graph_table
      ),
      (SELECT __intrinsic_array_agg(root_node_id) FROM $root_table),
      (SELECT __intrinsic_array_agg(root_target_weight) FROM $root_table),
      $is_target_weight_floor
    )
  )
  WHERE __intrinsic_table_ptr_bind(c0, 'root_node_id')
    AND __intrinsic_table_ptr_bind(c1, 'node_id')
    AND __intrinsic_table_ptr_bind(c2, 'parent_node_id')
);
