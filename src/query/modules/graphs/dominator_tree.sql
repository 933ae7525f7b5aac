-- Dominator trees of graphs.

-- The immediate dominator of each node: the last node that all paths from the root pass.
CREATE PERFETTO MACRO graph_dominator_tree(
  -- Edges: source_node_id, dest_node_id.
  graph_table TableOrSubquery,
  -- Id of the root.
  root_node_id Expr
)
-- Rows: node_id, dominator_node_id (NULL for the root). Nodes that cannot be reached are left out.
RETURNS TableOrSubquery AS
(
  SELECT c0 AS node_id, c1 AS dominator_node_id
  FROM __intrinsic_table_ptr(
    (
      SELECT __intrinsic_dominator_tree(source_node_id, dest_node_id, $root_node_id)
      FROM $graph_table
    )
  )
  WHERE __intrinsic_table_ptr_bind(c0, 'node_id')
    AND __intrinsic_table_ptr_bind(c1, 'dominator_node_id')
);
