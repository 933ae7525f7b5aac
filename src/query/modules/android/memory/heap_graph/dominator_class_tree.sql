-- The dominator tree by class.

INCLUDE PERFETTO MODULE android.memory.heap_graph.dominator_tree;

-- Objects with the path of classes of their dominators.
CREATE PERFETTO TABLE _heap_graph_dominator_path_hashes AS
WITH RECURSIVE
  tree AS MATERIALIZED (
    SELECT
      d.id, coalesce(d.idom_id, -1) AS parent_id, o.upid, o.graph_sample_ts, o.type_id, o.root_type,
      o.self_size, coalesce(c.deobfuscated_name, c.name) AS class_name
    FROM heap_graph_dominator_tree AS d
    JOIN heap_graph_object AS o ON o.id = d.id
    JOIN heap_graph_class AS c ON c.id = o.type_id
  ),
  walk(id, path_hash, parent_path_hash, depth) AS (
    SELECT
      id, hash(upid || '-' || graph_sample_ts || '-' || coalesce(class_name, '')), NULL, 0
    FROM tree
    WHERE parent_id = -1
    UNION ALL
    SELECT
      tree.id, hash(CAST(walk.path_hash AS TEXT) || '-' || coalesce(tree.class_name, '')), walk.path_hash,
      walk.depth + 1
    FROM walk CROSS JOIN tree ON tree.parent_id = walk.id
  )
SELECT
  walk.id, walk.path_hash, walk.parent_path_hash, walk.depth, tree.upid, tree.graph_sample_ts,
  tree.type_id, tree.root_type, tree.self_size, tree.class_name
FROM walk
JOIN tree ON tree.id = walk.id
ORDER BY walk.id;

-- Paths with their objects.
CREATE PERFETTO TABLE _heap_graph_dominator_path_hashes_aggregated AS
SELECT
  graph_sample_ts, upid, path_hash, parent_path_hash, class_name AS name, min(root_type) AS root_type,
  count(*) AS self_count, sum(self_size) AS self_size, min(depth) AS depth
FROM _heap_graph_dominator_path_hashes
GROUP BY path_hash;

-- The tree: graph_sample_ts, upid, id, parent_id, name, root_type, self_count, self_size, path_hash,
-- depth. Parents come first.
CREATE PERFETTO TABLE _heap_graph_dominator_class_tree AS
WITH numbered AS (
  SELECT
    *, row_number() OVER (ORDER BY depth, upid, graph_sample_ts, self_size DESC, path_hash) - 1 AS id
  FROM _heap_graph_dominator_path_hashes_aggregated
)
SELECT
  n.graph_sample_ts, n.upid, n.id, p.id AS parent_id, n.name, n.root_type, n.self_count,
  n.self_size, n.path_hash, n.depth
FROM numbered AS n
LEFT JOIN numbered AS p ON p.path_hash = n.parent_path_hash
ORDER BY n.id;
