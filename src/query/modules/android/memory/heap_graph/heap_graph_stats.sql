-- Sizes of Java heap dumps, with the memory of the process at the time of the dump.

INCLUDE PERFETTO MODULE android.memory.heap_graph.oome;
INCLUDE PERFETTO MODULE android.oom_adjuster;
INCLUDE PERFETTO MODULE counters.intervals;
INCLUDE PERFETTO MODULE linux.memory.process;

-- The value that holds for a process at a time: that of the interval around it, else of the last one
-- before it, else of the first one behind it.
CREATE PERFETTO MACRO _closest_value(
  -- Process.
  upid Expr,
  -- Time, ns.
  ts Expr,
  -- Intervals: upid, ts, and the value.
  t TableOrSubquery,
  -- Column of the value.
  value ColumnName
)
-- Expression: the value, or NULL.
RETURNS Expr AS
(
  SELECT $value
  FROM (
    SELECT
      $value,
      min(iif(_closest.ts > $ts, 1e18, 0) + abs(_closest.ts - $ts)) AS distance
    FROM $t AS _closest
    WHERE _closest.upid = $upid
  )
);

-- Counters of processes by name: upid, ts, name, value.
CREATE PERFETTO TABLE _heap_graph_process_counters AS
SELECT t.upid, c.ts, t.name, cast_int!(c.value) AS value
FROM counter AS c
JOIN process_counter_track AS t ON t.id = c.track_id
WHERE t.name IN ('Heap size (KB)', 'mem.dmabuf_rss', 'Bytes Allocated', 'art_bytes_allocated')
ORDER BY t.upid, c.ts;

-- Sizes of each dump.
CREATE PERFETTO TABLE android_heap_graph_stats(
  -- Process.
  upid JOINID(process.id),
  -- Time of the heap dump, ns.
  graph_sample_ts TIMESTAMP,
  -- Age of the process, ns; NULL if its start is not known.
  process_uptime LONG,
  -- Size of all objects, bytes.
  total_heap_size LONG,
  -- Native memory of all objects, bytes.
  total_native_alloc_registry_size LONG,
  -- Number of objects.
  total_obj_count LONG,
  -- Size of the reachable objects, bytes.
  reachable_heap_size LONG,
  -- Native memory of the reachable objects, bytes.
  reachable_native_alloc_registry_size LONG,
  -- Number of reachable objects.
  reachable_obj_count LONG,
  -- Score of the OOM adjuster.
  oom_score_adj LONG,
  -- Resident anonymous and swapped memory, bytes.
  anon_rss_and_swap_size LONG,
  -- DMA buffers, bytes.
  dmabuf_rss_size LONG,
  -- Memory that ART allocated, bytes.
  art_bytes_allocated LONG,
  -- 1 if an out-of-memory error caused the dump.
  is_out_of_memory_error BOOL,
  -- Size of the allocation that failed, bytes.
  oome_failing_allocation_size LONG,
  -- Free memory of the heap at the error, bytes.
  oome_remaining_art_free_bytes LONG
) AS
WITH dump AS (
  SELECT
    upid, graph_sample_ts, sum(self_size) AS total_heap_size,
    sum(native_size) AS total_native_alloc_registry_size, count(*) AS total_obj_count,
    sum(iif(reachable, self_size, 0)) AS reachable_heap_size,
    sum(iif(reachable, native_size, 0)) AS reachable_native_alloc_registry_size,
    sum(iif(reachable, 1, 0)) AS reachable_obj_count
  FROM heap_graph_object
  GROUP BY upid, graph_sample_ts
),
failure AS (
  SELECT
    h.upid, h.ts, max(o.id IS NOT NULL OR coalesce(h.dump_reason = 'OOME', 0)) AS is_error,
    max(o.allocation_size_bytes) AS allocation_size_bytes, max(o.total_bytes_free) AS total_bytes_free
  FROM heap_graph AS h
  LEFT JOIN android_heap_graph_java_oome_details AS o ON o.heap_graph_id = h.id
  GROUP BY h.upid, h.ts
)
SELECT
  d.upid, d.graph_sample_ts, d.graph_sample_ts - p.start_ts AS process_uptime, d.total_heap_size,
  d.total_native_alloc_registry_size, d.total_obj_count, d.reachable_heap_size,
  d.reachable_native_alloc_registry_size, d.reachable_obj_count,
  _closest_value!(d.upid, d.graph_sample_ts, _oom_adjuster_intervals, score) AS oom_score_adj,
  _closest_value!(
    d.upid, d.graph_sample_ts, _memory_rss_and_swap_per_process_table, anon_rss_and_swap
  ) AS anon_rss_and_swap_size,
  _closest_value!(
    d.upid, d.graph_sample_ts,
    (SELECT * FROM _heap_graph_process_counters WHERE name = 'mem.dmabuf_rss'), value
  ) AS dmabuf_rss_size,
  coalesce(
    _closest_value!(
      d.upid, d.graph_sample_ts,
      (
        SELECT * FROM _heap_graph_process_counters
        WHERE name IN ('Bytes Allocated', 'art_bytes_allocated')
      ),
      value
    ),
    1024 * _closest_value!(
      d.upid, d.graph_sample_ts,
      (SELECT * FROM _heap_graph_process_counters WHERE name = 'Heap size (KB)'), value
    )
  ) AS art_bytes_allocated,
  coalesce(f.is_error, 0) AS is_out_of_memory_error,
  f.allocation_size_bytes AS oome_failing_allocation_size,
  f.total_bytes_free AS oome_remaining_art_free_bytes
FROM dump AS d
JOIN process AS p USING (upid)
LEFT JOIN failure AS f ON f.upid = d.upid AND f.ts = d.graph_sample_ts
ORDER BY d.upid, d.graph_sample_ts;
