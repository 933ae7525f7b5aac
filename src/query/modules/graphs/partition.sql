-- Partitions of trees.

-- The nodes of a tree, each below its nearest ancestor of the same group.
CREATE PERFETTO MACRO tree_structural_partition_by_group(
  -- Nodes: id, parent_id, group_key.
  tree_table TableOrSubquery
)
-- Rows: id, parent_id (NULL without such an ancestor), group_key.
RETURNS TableOrSubquery AS
(
  SELECT c0 AS id, c1 AS parent_id, c2 AS group_key
  FROM __intrinsic_table_ptr(
    (SELECT __intrinsic_structural_tree_partition(id, parent_id, group_key) FROM $tree_table)
  )
  WHERE __intrinsic_table_ptr_bind(c0, 'node_id')
    AND __intrinsic_table_ptr_bind(c1, 'parent_node_id')
    AND __intrinsic_table_ptr_bind(c2, 'group_key')
);
