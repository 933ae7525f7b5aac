-- The call tree of all allocations of heap profiles.

INCLUDE PERFETTO MODULE android.memory.heap_profile.callstacks;
INCLUDE PERFETTO MODULE graphs.scan;

-- Nodes without sums.
CREATE PERFETTO TABLE _android_heap_profile_raw_summary_tree AS
SELECT *
FROM _android_heap_profile_callstacks_for_allocations!(
  (SELECT callsite_id, count, size FROM heap_profile_allocation)
) AS c
ORDER BY c.id;

-- Sums of the nodes: id, cumulative_size, cumulative_alloc_size.
CREATE PERFETTO TABLE _android_heap_profile_raw_cumulatives AS
SELECT id, cumulative_size, cumulative_alloc_size
FROM _graph_aggregating_scan!(
  (
    SELECT id AS source_node_id, parent_id AS dest_node_id
    FROM _android_heap_profile_raw_summary_tree
    WHERE parent_id IS NOT NULL
  ),
  (
    SELECT id, self_size AS cumulative_size, self_alloc_size AS cumulative_alloc_size
    FROM _android_heap_profile_raw_summary_tree
    WHERE id NOT IN (
      SELECT parent_id FROM _android_heap_profile_raw_summary_tree WHERE parent_id IS NOT NULL
    )
  ),
  (cumulative_size, cumulative_alloc_size),
  (
    WITH below AS (
      SELECT id, sum(cumulative_size) AS size, sum(cumulative_alloc_size) AS alloc_size
      FROM $table
      GROUP BY id
    )
    SELECT
      below.id, below.size + node.self_size AS cumulative_size,
      below.alloc_size + node.self_alloc_size AS cumulative_alloc_size
    FROM below
    JOIN _android_heap_profile_raw_summary_tree AS node USING (id)
  )
);

-- The call tree of all allocations.
CREATE PERFETTO TABLE android_heap_profile_summary_tree(
  -- Node.
  id LONG,
  -- Caller.
  parent_id LONG,
  -- Name of the function.
  name STRING,
  -- Binary or library of the frame.
  mapping_name STRING,
  -- Source file, if known.
  source_file STRING,
  -- Line in the source file, if known.
  line_number LONG,
  -- Memory that the function allocated itself and that is not freed, bytes.
  self_size LONG,
  -- The same of the function and all that it called, bytes.
  cumulative_size LONG,
  -- Memory that the function allocated itself, bytes.
  self_alloc_size LONG,
  -- The same of the function and all that it called, bytes.
  cumulative_alloc_size LONG
) AS
SELECT
  t.id, t.parent_id, t.name, t.mapping_name, t.source_file, t.line_number, t.self_size,
  c.cumulative_size, t.self_alloc_size, c.cumulative_alloc_size
FROM _android_heap_profile_raw_summary_tree AS t
JOIN _android_heap_profile_raw_cumulatives AS c USING (id)
ORDER BY t.id;
