-- Slices that flows lead to.

INCLUDE PERFETTO MODULE graphs.search;

-- Slices that are reached from the slices of a table (column id) along flows. A flow leaves from a
-- slice or from a slice below it. Result: id, and from_id, the slice from which it was first reached
-- (NULL for the slices of the table).
CREATE PERFETTO MACRO _slice_following_flow(
  -- Table with column id.
  source_table TableOrSubquery
)
-- Rows id, from_id.
RETURNS TableOrSubquery AS
(
  SELECT node_id AS id, parent_node_id AS from_id
  FROM graph_reachable_bfs!(
    (
      SELECT slice_out AS source_node_id, slice_in AS dest_node_id FROM flow
      UNION ALL
      SELECT parent_id AS source_node_id, id AS dest_node_id FROM slice WHERE parent_id IS NOT NULL
    ),
    (SELECT id AS node_id FROM $source_table)
  )
);
