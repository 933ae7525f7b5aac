-- Sizes of Java heap dumps by class.

INCLUDE PERFETTO MODULE android.memory.heap_graph.dominator_tree;

-- Whether a class belongs to the platform or is an array.
CREATE PERFETTO FUNCTION _is_libcore_or_array(
  -- Name of the class.
  obj_name STRING
)
-- 1 if so, else 0.
RETURNS BOOL AS
SELECT
  $obj_name GLOB 'java.*' OR $obj_name GLOB 'javax.*' OR $obj_name GLOB 'j$.*'
  OR $obj_name GLOB 'kotlin.*' OR $obj_name GLOB 'kotlinx.*' OR $obj_name GLOB 'sun.*'
  OR $obj_name GLOB 'libcore.*' OR $obj_name GLOB '*]' OR $obj_name NOT GLOB '*.*';

-- Objects whose dominated sizes count for their class: those that no object of the same class
-- dominates directly, so that a list of nodes is counted once.
CREATE PERFETTO TABLE _heap_object_marked_for_dominated_stats AS
SELECT
  d.id,
  p.id IS NULL OR po.type_id != o.type_id AS marked
FROM heap_graph_dominator_tree AS d
JOIN heap_graph_object AS o ON o.id = d.id
LEFT JOIN heap_graph_dominator_tree AS p ON p.id = d.idom_id
LEFT JOIN heap_graph_object AS po ON po.id = p.id
ORDER BY d.id;

-- Sizes of each class of each dump.
CREATE PERFETTO TABLE android_heap_graph_class_aggregation(
  -- Process.
  upid JOINID(process.id),
  -- Time of the heap dump, ns.
  graph_sample_ts TIMESTAMP,
  -- Class.
  type_id LONG,
  -- Name of the class.
  type_name STRING,
  -- 1 if the class belongs to the platform or is an array.
  is_libcore_or_array BOOL,
  -- Number of objects.
  obj_count LONG,
  -- Size of the objects, bytes.
  size_bytes LONG,
  -- Native memory of the objects, bytes.
  native_size_bytes LONG,
  -- Number of reachable objects.
  reachable_obj_count LONG,
  -- Size of the reachable objects, bytes.
  reachable_size_bytes LONG,
  -- Native memory of the reachable objects, bytes.
  reachable_native_size_bytes LONG,
  -- Number of objects that the objects dominate, with themselves.
  dominated_obj_count LONG,
  -- Size of these objects, bytes.
  dominated_size_bytes LONG,
  -- Native memory of these objects, bytes.
  dominated_native_size_bytes LONG
) AS
SELECT
  o.upid, o.graph_sample_ts, o.type_id, coalesce(c.deobfuscated_name, c.name) AS type_name,
  _is_libcore_or_array(coalesce(c.deobfuscated_name, c.name)) AS is_libcore_or_array,
  count(*) AS obj_count, sum(o.self_size) AS size_bytes, sum(o.native_size) AS native_size_bytes,
  sum(iif(o.reachable, 1, 0)) AS reachable_obj_count,
  sum(iif(o.reachable, o.self_size, 0)) AS reachable_size_bytes,
  sum(iif(o.reachable, o.native_size, 0)) AS reachable_native_size_bytes,
  sum(iif(m.marked, d.dominated_obj_count, 0)) AS dominated_obj_count,
  sum(iif(m.marked, d.dominated_size_bytes, 0)) AS dominated_size_bytes,
  sum(iif(m.marked, d.dominated_native_size_bytes, 0)) AS dominated_native_size_bytes
FROM heap_graph_object AS o
JOIN heap_graph_class AS c ON c.id = o.type_id
LEFT JOIN heap_graph_dominator_tree AS d ON d.id = o.id
LEFT JOIN _heap_object_marked_for_dominated_stats AS m ON m.id = o.id
GROUP BY o.upid, o.graph_sample_ts, o.type_id
ORDER BY o.upid, o.graph_sample_ts, dominated_size_bytes DESC;
