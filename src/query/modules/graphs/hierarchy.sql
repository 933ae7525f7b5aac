-- Ancestors in trees.

-- The nodes on the way up from the start nodes, and these. Result: id.
CREATE PERFETTO MACRO _tree_reachable_ancestors_or_self(
  tree TableOrSubquery, start_nodes TableOrSubquery
)
RETURNS TableOrSubquery AS
(
  SELECT c0 AS id
  FROM __intrinsic_table_ptr(
    __intrinsic_bfs(
      (SELECT __intrinsic_graph_agg(id, coalesce(parent_id, id)) FROM $tree),
      (SELECT __intrinsic_array_agg(id) FROM $start_nodes)
    )
  )
  WHERE __intrinsic_table_ptr_bind(c0, 'node_id')
);
