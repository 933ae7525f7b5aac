-- Java heap dumps as trees of classes, by the shortest path from a root.

INCLUDE PERFETTO MODULE graphs.search;

-- Shortest paths from the roots: id, parent_id (NULL for roots).
CREATE PERFETTO TABLE _heap_graph_object_min_depth_tree AS
SELECT node_id AS id, parent_node_id AS parent_id
FROM graph_reachable_bfs!(
  (
    SELECT owner_id AS source_node_id, owned_id AS dest_node_id
    FROM heap_graph_reference
    WHERE owned_id IS NOT NULL
  ),
  (SELECT id AS node_id FROM heap_graph_object WHERE root_type IS NOT NULL ORDER BY id)
)
ORDER BY node_id;

-- Objects with the path of classes that leads to them: path_hash stands for the path.
CREATE PERFETTO TABLE _heap_graph_path_hashes AS
WITH RECURSIVE
  tree AS MATERIALIZED (
    SELECT
      t.id, coalesce(t.parent_id, -1) AS parent_id, o.upid, o.graph_sample_ts, o.type_id,
      o.root_type, o.self_size,
      coalesce(c.deobfuscated_name, c.name) AS class_name
    FROM _heap_graph_object_min_depth_tree AS t
    JOIN heap_graph_object AS o ON o.id = t.id
    JOIN heap_graph_class AS c ON c.id = o.type_id
  ),
  walk(id, path_hash, parent_path_hash, depth) AS (
    SELECT
      id, hash(upid || '-' || graph_sample_ts || '-' || coalesce(root_type, '') || '-' || coalesce(class_name, '')),
      NULL, 0
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

-- Paths with their objects: path_hash, parent_path_hash, name, root_type, self_count, self_size.
CREATE PERFETTO TABLE _heap_graph_path_hashes_aggregated AS
SELECT
  graph_sample_ts, upid, path_hash, parent_path_hash, class_name AS name, min(root_type) AS root_type,
  count(*) AS self_count, sum(self_size) AS self_size, min(depth) AS depth
FROM _heap_graph_path_hashes
GROUP BY path_hash;

-- The tree: graph_sample_ts, upid, id, parent_id, name, root_type, self_count, self_size, path_hash,
-- depth. Parents come first.
CREATE PERFETTO TABLE _heap_graph_class_tree AS
WITH numbered AS (
  SELECT
    *, row_number() OVER (ORDER BY depth, upid, graph_sample_ts, self_size DESC, path_hash) - 1 AS id
  FROM _heap_graph_path_hashes_aggregated
)
SELECT
  n.graph_sample_ts, n.upid, n.id, p.id AS parent_id, n.name, n.root_type, n.self_count,
  n.self_size, n.path_hash, n.depth
FROM numbered AS n
LEFT JOIN numbered AS p ON p.path_hash = n.parent_path_hash
ORDER BY n.id;

-- Number of objects below each path of a selection.
CREATE PERFETTO MACRO _heap_graph_duplicate_objects_agg(
  -- Table with columns id, path_hash.
  path_hashes TableOrSubquery
)
-- Rows path_hash, object_count.
RETURNS TableOrSubquery AS
(
  SELECT path_hash, count(*) AS object_count FROM $path_hashes GROUP BY path_hash
);

-- Number and size of the objects below each path of a selection that only it keeps: those with the
-- path or one below it.
CREATE PERFETTO MACRO _heap_graph_retained_object_count_agg(
  -- Table with columns path_hash, parent_path_hash, self_count, self_size.
  path_hashes TableOrSubquery,
  -- Table with column path_hash: the selection.
  path_hash_values TableOrSubquery
)
-- Rows path_hash, object_count, object_size.
RETURNS TableOrSubquery AS
(
  WITH RECURSIVE
    _path AS MATERIALIZED (
      SELECT path_hash, parent_path_hash, self_count, self_size FROM $path_hashes
    ),
    _below(selected, path_hash) AS (
      SELECT path_hash, path_hash FROM $path_hash_values
      UNION
      SELECT _below.selected, _path.path_hash
      FROM _below
      CROSS JOIN _path ON _path.parent_path_hash = _below.path_hash
    )
  SELECT
    _below.selected AS path_hash, sum(_path.self_count) AS object_count,
    sum(_path.self_size) AS object_size
  FROM _below
  JOIN _path USING (path_hash)
  GROUP BY _below.selected
);

-- Number and size of the objects on the way from a root to each path of a selection, with those of
-- the path itself.
CREATE PERFETTO MACRO _heap_graph_retaining_object_count_agg(
  -- Table with columns path_hash, parent_path_hash, self_count, self_size.
  path_hashes TableOrSubquery,
  -- Table with column path_hash: the selection.
  path_hash_values TableOrSubquery
)
-- Rows path_hash, object_count, object_size.
RETURNS TableOrSubquery AS
(
  WITH RECURSIVE
    _path AS MATERIALIZED (
      SELECT path_hash, parent_path_hash, self_count, self_size FROM $path_hashes
    ),
    _above(selected, path_hash) AS (
      SELECT path_hash, path_hash FROM $path_hash_values
      UNION
      SELECT _above.selected, _path.parent_path_hash
      FROM _above
      CROSS JOIN _path ON _path.path_hash = _above.path_hash
      WHERE _path.parent_path_hash IS NOT NULL
    )
  SELECT
    _above.selected AS path_hash, sum(_path.self_count) AS object_count,
    sum(_path.self_size) AS object_size
  FROM _above
  JOIN _path USING (path_hash)
  GROUP BY _above.selected
);
