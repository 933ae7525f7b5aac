-- Dominator trees of Java heap dumps: what would be freed if an object were gone.

INCLUDE PERFETTO MODULE graphs.dominator_tree;
INCLUDE PERFETTO MODULE graphs.scan;

-- Edges of heap graphs. Node 0 is above the roots of all dumps; an object is node id + 1. Weak, soft
-- and finalizer references do not keep objects.
CREATE PERFETTO TABLE _heap_graph_dominator_edges AS
SELECT r.owner_id + 1 AS source_node_id, r.owned_id + 1 AS dest_node_id
FROM heap_graph_reference AS r
JOIN heap_graph_object AS o ON o.id = r.owner_id
JOIN heap_graph_class AS c ON c.id = o.type_id
WHERE r.owned_id IS NOT NULL AND o.reachable
  AND NOT (
    c.kind IN (
      'KIND_WEAK_REFERENCE', 'KIND_SOFT_REFERENCE', 'KIND_FINALIZER_REFERENCE',
      'KIND_PHANTOM_REFERENCE'
    )
    AND r.field_name = 'java.lang.ref.Reference.referent'
  )
UNION ALL
SELECT 0, id + 1 FROM heap_graph_object WHERE root_type IS NOT NULL AND reachable
-- A graph without edges has no tree.
UNION ALL
SELECT 0, 0;

-- Immediate dominators of objects: id, idom_id (NULL for objects that only the roots dominate).
CREATE PERFETTO TABLE _heap_graph_idom AS
SELECT
  node_id - 1 AS id, iif(dominator_node_id = 0, NULL, dominator_node_id - 1) AS idom_id
FROM graph_dominator_tree!(_heap_graph_dominator_edges, 0)
WHERE dominator_node_id IS NOT NULL
ORDER BY node_id;

-- Depth of objects in the dominator tree, from 1.
CREATE PERFETTO TABLE _heap_graph_idom_depth AS
WITH RECURSIVE
  tree AS MATERIALIZED (SELECT id, coalesce(idom_id, -1) AS idom_id FROM _heap_graph_idom),
  walk(id, depth) AS (
    SELECT id, 1 FROM tree WHERE idom_id = -1
    UNION ALL
    SELECT tree.id, walk.depth + 1 FROM walk CROSS JOIN tree ON tree.idom_id = walk.id
  )
SELECT id, depth FROM walk ORDER BY id;

-- Objects with the object that dominates them and the sizes of what they dominate.
CREATE PERFETTO TABLE heap_graph_dominator_tree(
  -- Object.
  id LONG,
  -- Object that dominates it most closely; NULL if only the roots do.
  idom_id LONG,
  -- Number of dominated objects, with the object itself.
  dominated_obj_count LONG,
  -- Size of the dominated objects, bytes.
  dominated_size_bytes LONG,
  -- Native memory of the dominated objects, bytes.
  dominated_native_size_bytes LONG,
  -- Depth in the dominator tree, from 1.
  depth LONG
) AS
SELECT
  s.id, i.idom_id, s.obj_count AS dominated_obj_count, s.size_bytes AS dominated_size_bytes,
  s.native_size_bytes AS dominated_native_size_bytes, d.depth
FROM _graph_aggregating_scan!(
  (SELECT id AS source_node_id, idom_id AS dest_node_id FROM _heap_graph_idom WHERE idom_id IS NOT NULL),
  (
    SELECT i.id, 1 AS obj_count, o.self_size AS size_bytes, o.native_size AS native_size_bytes
    FROM _heap_graph_idom AS i
    JOIN heap_graph_object AS o ON o.id = i.id
    WHERE i.id NOT IN (SELECT idom_id FROM _heap_graph_idom WHERE idom_id IS NOT NULL)
  ),
  (obj_count, size_bytes, native_size_bytes),
  (
    WITH children AS (
      SELECT
        t.id, sum(t.obj_count) AS obj_count, sum(t.size_bytes) AS size_bytes,
        sum(t.native_size_bytes) AS native_size_bytes
      FROM $table AS t
      GROUP BY t.id
    )
    SELECT
      c.id, c.obj_count + 1 AS obj_count, c.size_bytes + o.self_size AS size_bytes,
      c.native_size_bytes + o.native_size AS native_size_bytes
    FROM children AS c
    JOIN heap_graph_object AS o ON o.id = c.id
  )
) AS s
JOIN _heap_graph_idom AS i ON i.id = s.id
JOIN _heap_graph_idom_depth AS d ON d.id = s.id
ORDER BY s.id;
