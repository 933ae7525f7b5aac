-- Sizes of Java heap dumps, and what the process used at that time.

INCLUDE PERFETTO MODULE android.memory.heap_graph.oome;

-- Value of a table (columns upid, ts, and the named one) closest before a time.
CREATE PERFETTO MACRO _closest_value(
  -- Process.
  upid Expr,
  -- Time, ns.
  ts Expr,
  -- Table with columns upid, ts and the named one.
  t TableOrSubquery,
  -- Column with the value.
  value ColumnName
)
-- Expression that gives the value, or the first one after the time where there is none before.
RETURNS Expr AS
(
  SELECT _cv.$value
  FROM $t AS _cv
  WHERE _cv.upid = $upid
  ORDER BY _cv.ts > $ts, abs(_cv.ts - $ts)
  LIMIT 1
);

-- Memory counters of the processes with dumps: upid, ts, name, value.
CREATE PERFETTO TABLE _heap_graph_counter AS
SELECT t.upid, c.ts, t.name, cast_int!(c.value) AS value
FROM counter AS c
JOIN process_counter_track AS t ON c.track_id = t.id
WHERE t.upid IN (SELECT upid FROM heap_graph)
  AND (
    t.name IN ('oom_score_adj', 'mem.rss.anon', 'mem.swap', 'mem.dmabuf_rss')
    OR t.name GLOB 'Heap size (KB)*'
  );

-- Sizes of each dump with the state of its process.
CREATE PERFETTO TABLE android_heap_graph_stats(
  -- Process.
  upid JOINID(process.id),
  -- Time of the heap dump, ns.
  graph_sample_ts TIMESTAMP,
  -- Time since the start of the process, ns.
  process_uptime LONG,
  -- Size of all objects, bytes.
  total_heap_size LONG,
  -- Native memory of all objects, bytes.
  total_native_alloc_registry_size LONG,
  -- Number of all objects.
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
  -- Memory of DMA buffers, bytes.
  dmabuf_rss_size LONG,
  -- Heap as the runtime reports it, bytes.
  art_bytes_allocated LONG,
  -- 1 if an out-of-memory error caused the dump.
  is_out_of_memory_error BOOL,
  -- Size of the failed allocation, bytes.
  oome_failing_allocation_size LONG,
  -- Free memory of the runtime, bytes.
  oome_remaining_art_free_bytes LONG
) AS
WITH by_dump AS (
  SELECT
    upid, graph_sample_ts,
    sum(self_size) AS total_heap_size, sum(native_size) AS total_native_alloc_registry_size,
    count(*) AS total_obj_count,
    sum(iif(reachable, self_size, 0)) AS reachable_heap_size,
    sum(iif(reachable, native_size, 0)) AS reachable_native_alloc_registry_size,
    sum(iif(reachable, 1, 0)) AS reachable_obj_count
  FROM heap_graph_object
  GROUP BY upid, graph_sample_ts
)
SELECT
  b.upid, b.graph_sample_ts, b.graph_sample_ts - p.start_ts AS process_uptime, b.total_heap_size,
  b.total_native_alloc_registry_size, b.total_obj_count, b.reachable_heap_size,
  b.reachable_native_alloc_registry_size, b.reachable_obj_count,
  _closest_value!(
    b.upid, b.graph_sample_ts,
    (SELECT upid, ts, value FROM _heap_graph_counter WHERE name = 'oom_score_adj'), value
  ) AS oom_score_adj,
  _closest_value!(
    b.upid, b.graph_sample_ts,
    (SELECT upid, ts, value FROM _heap_graph_counter WHERE name = 'mem.rss.anon'), value
  ) + coalesce(_closest_value!(
    b.upid, b.graph_sample_ts,
    (SELECT upid, ts, value FROM _heap_graph_counter WHERE name = 'mem.swap'), value
  ), 0) AS anon_rss_and_swap_size,
  _closest_value!(
    b.upid, b.graph_sample_ts,
    (SELECT upid, ts, value FROM _heap_graph_counter WHERE name = 'mem.dmabuf_rss'), value
  ) AS dmabuf_rss_size,
  _closest_value!(
    b.upid, b.graph_sample_ts,
    (SELECT upid, ts, value * 1024 AS value FROM _heap_graph_counter WHERE name GLOB 'Heap size (KB)*'),
    value
  ) AS art_bytes_allocated,
  coalesce(h.dump_reason = 'OOME', d.id IS NOT NULL) AS is_out_of_memory_error,
  d.allocation_size_bytes AS oome_failing_allocation_size,
  d.free_bytes_until_oom AS oome_remaining_art_free_bytes
FROM by_dump AS b
JOIN process AS p ON p.upid = b.upid
LEFT JOIN heap_graph AS h ON h.upid = b.upid AND h.ts = b.graph_sample_ts
LEFT JOIN android_heap_graph_java_oome_details AS d ON d.heap_graph_id = h.id
ORDER BY b.graph_sample_ts;
