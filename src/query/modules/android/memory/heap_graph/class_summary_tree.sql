-- The tree of classes with cumulative sizes.

INCLUDE PERFETTO MODULE android.memory.heap_graph.class_tree;
INCLUDE PERFETTO MODULE graphs.scan;

-- Cumulative sizes of the nodes: id, cumulative_count, cumulative_size.
CREATE PERFETTO TABLE _heap_graph_class_tree_cumulatives AS
SELECT id, cumulative_count, cumulative_size
FROM _graph_aggregating_scan!(
  (SELECT id AS source_node_id, parent_id AS dest_node_id FROM _heap_graph_class_tree WHERE parent_id IS NOT NULL),
  (
    SELECT id, self_count AS cumulative_count, self_size AS cumulative_size
    FROM _heap_graph_class_tree
    WHERE id NOT IN (SELECT parent_id FROM _heap_graph_class_tree WHERE parent_id IS NOT NULL)
  ),
  (cumulative_count, cumulative_size),
  (
    WITH children AS (
      SELECT t.id, sum(t.cumulative_count) AS child_count, sum(t.cumulative_size) AS child_size
      FROM $table AS t
      GROUP BY t.id
    )
    SELECT
      c.id, c.child_count + n.self_count AS cumulative_count,
      c.child_size + n.self_size AS cumulative_size
    FROM children AS c
    JOIN _heap_graph_class_tree AS n ON n.id = c.id
  )
)
ORDER BY id;

-- The tree of classes: each node is a path of classes from a root.
CREATE PERFETTO TABLE android_heap_graph_class_summary_tree(
  -- Time of the heap dump, ns.
  graph_sample_ts TIMESTAMP,
  -- Process.
  upid JOINID(process.id),
  -- Node.
  id LONG,
  -- Node of the owner.
  parent_id LONG,
  -- Class.
  name STRING,
  -- Kind of the root; only for outermost nodes.
  root_type STRING,
  -- Number of objects with this path.
  self_count LONG,
  -- Size of these objects, bytes.
  self_size LONG,
  -- Number of objects with this path or one below it.
  cumulative_count LONG,
  -- Size of these objects, bytes.
  cumulative_size LONG
) AS
SELECT
  t.graph_sample_ts, t.upid, t.id, t.parent_id, t.name, t.root_type, t.self_count, t.self_size,
  c.cumulative_count, c.cumulative_size
FROM _heap_graph_class_tree AS t
JOIN _heap_graph_class_tree_cumulatives AS c USING (id)
ORDER BY t.id;
