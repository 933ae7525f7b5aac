-- Garbage collections of the Android runtime.

INCLUDE PERFETTO MODULE android.startup.startups;
INCLUDE PERFETTO MODULE counters.intervals;
INCLUDE PERFETTO MODULE intervals.intersect;
INCLUDE PERFETTO MODULE slices.with_context;

-- Slices of collections, outermost only: id, ts, dur, gc_type, is_mark_compact and context.
CREATE PERFETTO VIEW _gc_slice AS
SELECT
  s.id AS gc_id, s.ts AS gc_ts, iif(s.dur = -1, trace_end() - s.ts, s.dur) AS gc_dur,
  CASE
    WHEN s.name GLOB '*NativeAlloc*' THEN 'NativeAlloc'
    WHEN s.name GLOB '*Alloc*' THEN 'Alloc'
    WHEN s.name GLOB '*young*' THEN 'young'
    WHEN s.name GLOB '*CollectorTransition*' THEN 'CollectorTransition'
    WHEN s.name GLOB '*Explicit*' THEN 'explicit'
    ELSE 'full'
  END AS gc_type,
  s.name GLOB '*MarkCompact*' OR s.name GLOB '*mark compact*' AS is_mark_compact,
  s.tid, s.utid, s.upid, s.thread_name, s.process_name
FROM thread_slice AS s
WHERE s.name GLOB '*[cC]oncurrent*GC' OR s.name GLOB '*[mM]ark[ -]*[cC]ompact* GC'
  OR s.name GLOB '*MarkCompact*GC' OR s.name GLOB '*concurrent mark compact GC';

-- Size of the heap of processes over time: upid, ts, dur, heap_mb.
CREATE PERFETTO VIEW _gc_heap_counter AS
SELECT i.id, i.ts, i.dur, t.upid, i.value / 1024.0 AS heap_mb
FROM counter_leading_intervals!((
  SELECT c.id, c.ts, c.track_id, c.value
  FROM counter AS c
  JOIN process_counter_track AS t ON c.track_id = t.id
  WHERE t.name GLOB 'Heap size (KB)*'
)) AS i
JOIN process_counter_track AS t ON t.id = i.track_id;

-- Collections with the heap at each moment of them: gc_id, ts, dur, heap_mb.
CREATE PERFETTO TABLE _gc_slice_heap AS
SELECT i.id_0 AS gc_id, i.ts, i.dur, h.heap_mb
FROM _interval_intersect!(
  (
    (SELECT gc_id AS id, gc_ts AS ts, gc_dur AS dur, upid FROM _gc_slice WHERE gc_dur > 0),
    (SELECT id, ts, dur, upid FROM _gc_heap_counter WHERE dur > 0)
  ),
  (upid)
) AS i
JOIN _gc_heap_counter AS h ON h.id = i.id_1;

-- Collections with the smallest and largest heap during them, and the heap at their end.
CREATE PERFETTO VIEW _gc_slice_with_final_heap AS
SELECT
  gc_id, min(heap_mb) AS min_heap_mb, max(heap_mb) AS max_heap_mb,
  cast_double!(value_at_max_ts(ts, heap_mb)) AS last_heap_mb
FROM _gc_slice_heap
GROUP BY gc_id;

-- Garbage collections, with the time of the collecting thread by scheduling state and the freed
-- memory.
CREATE PERFETTO TABLE android_garbage_collection_events(
  -- Thread number of the operating system.
  tid LONG,
  -- Process number of the operating system.
  pid LONG,
  -- Thread.
  utid JOINID(thread.id),
  -- Process.
  upid JOINID(process.id),
  -- Name of the thread.
  thread_name STRING,
  -- Name of the process.
  process_name STRING,
  -- Why the collection ran, or which part of the heap it covered.
  gc_type STRING,
  -- 1 for collectors that compact while they mark.
  is_mark_compact LONG,
  -- Freed memory, MB.
  reclaimed_mb DOUBLE,
  -- Smallest heap during the collection, MB.
  min_heap_mb DOUBLE,
  -- Largest heap during the collection, MB.
  max_heap_mb DOUBLE,
  -- Slice.
  gc_id LONG,
  -- Start, ns.
  gc_ts TIMESTAMP,
  -- Duration, ns.
  gc_dur DURATION,
  -- Time on a CPU, ns.
  gc_running_dur DURATION,
  -- Time waiting for a CPU, ns.
  gc_runnable_dur DURATION,
  -- Time in uninterruptible sleep for I/O, ns.
  gc_unint_io_dur DURATION,
  -- Time in other uninterruptible sleep, ns.
  gc_unint_non_io_dur DURATION,
  -- Time in interruptible sleep, ns.
  gc_int_dur LONG
) AS
WITH piece AS (
  SELECT i.id_0 AS gc_id, i.dur, t.state, t.io_wait
  FROM _interval_intersect!(
    (
      (SELECT gc_id AS id, gc_ts AS ts, gc_dur AS dur, utid FROM _gc_slice WHERE gc_dur > 0),
      (SELECT id, ts, dur, utid FROM thread_state WHERE dur > 0)
    ),
    (utid)
  ) AS i
  JOIN thread_state AS t ON t.id = i.id_1
),
by_gc AS (
  SELECT
    gc_id,
    sum(iif(state = 'Running', dur, 0)) AS gc_running_dur,
    sum(iif(state IN ('R', 'R+'), dur, 0)) AS gc_runnable_dur,
    sum(iif(state = 'D' AND io_wait = 1, dur, 0)) AS gc_unint_io_dur,
    sum(iif(state = 'D' AND coalesce(io_wait, 0) = 0, dur, 0)) AS gc_unint_non_io_dur,
    sum(iif(state = 'S', dur, 0)) AS gc_int_dur
  FROM piece
  GROUP BY gc_id
)
SELECT
  g.tid, CAST(p.pid AS INT) AS pid, g.utid, g.upid, g.thread_name, g.process_name, g.gc_type,
  g.is_mark_compact, max(0.0, h.max_heap_mb - h.last_heap_mb) AS reclaimed_mb, h.min_heap_mb,
  h.max_heap_mb, g.gc_id, g.gc_ts, g.gc_dur, b.gc_running_dur, b.gc_runnable_dur,
  b.gc_unint_io_dur, b.gc_unint_non_io_dur, b.gc_int_dur
FROM _gc_slice AS g
LEFT JOIN process AS p USING (upid)
LEFT JOIN _gc_slice_with_final_heap AS h ON h.gc_id = g.gc_id
LEFT JOIN by_gc AS b ON b.gc_id = g.gc_id
ORDER BY g.gc_ts;

-- Time in which collections of a process are known: upid, ts, dur.
CREATE PERFETTO TABLE _gc_stats_window AS
SELECT upid, min(ts) AS ts, max(ts + dur) - min(ts) AS dur
FROM _gc_heap_counter
GROUP BY upid
ORDER BY upid;

-- Growth of the heap outside of collections: upid, allocated_mb.
CREATE PERFETTO TABLE _gc_heap_allocated AS
WITH change AS (
  SELECT upid, heap_mb - lag(heap_mb) OVER (PARTITION BY upid ORDER BY ts) AS delta
  FROM _gc_heap_counter
)
SELECT upid, sum(max(delta, 0.0)) AS allocated_mb
FROM change
WHERE delta IS NOT NULL
GROUP BY upid
ORDER BY upid;

-- Time of collections during launches: upid, gc_dur, startup_dur.
CREATE PERFETTO TABLE _gc_during_android_startup AS
SELECT
  g.upid, sum(min(g.gc_ts + g.gc_dur, s.ts_end) - max(g.gc_ts, s.ts)) AS gc_dur
FROM android_garbage_collection_events AS g
JOIN _android_startups_raw AS s ON g.gc_ts < s.ts_end AND g.gc_ts + g.gc_dur > s.ts
GROUP BY g.upid
ORDER BY g.upid;

-- Size of heaps over time: upid, heap_mbs (MB times s), live_mbs (lowest heap so far times s).
CREATE PERFETTO TABLE _gc_heap_utilization AS
SELECT
  upid, sum(heap_mb * dur) / 1e9 AS heap_total_mbs, sum(live_mb * dur) / 1e9 AS heap_live_mbs,
  sum(heap_mb * dur) / sum(dur) AS heap_size_mb
FROM (
  SELECT
    upid, dur, heap_mb,
    min(heap_mb) OVER (
      PARTITION BY upid ORDER BY ts ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING
    ) AS live_mb
  FROM _gc_heap_counter
  WHERE dur > 0
)
GROUP BY upid
ORDER BY upid;

-- Collections of each process altogether.
CREATE PERFETTO TABLE _android_garbage_collection_process_stats(
  -- Process.
  upid JOINID(process.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Heap times time, MB s.
  heap_size_mbs DOUBLE,
  -- Mean heap, MB.
  heap_size_mb DOUBLE,
  -- Allocated memory, MB.
  heap_allocated_mb DOUBLE,
  -- Allocated memory by time, MB/s.
  heap_allocation_rate DOUBLE,
  -- Memory in use times time, MB s.
  heap_live_mbs DOUBLE,
  -- Heap times time, MB s.
  heap_total_mbs DOUBLE,
  -- Share of the heap that was in use.
  heap_utilization DOUBLE,
  -- Time of collections on a CPU, ns.
  gc_running_dur DURATION,
  -- Time of collections on a CPU by time.
  gc_running_rate DOUBLE,
  -- Freed memory by time of collections on a CPU, MB/s.
  gc_running_efficiency DOUBLE,
  -- Time of collections during launches, ns.
  gc_during_android_startup_dur DURATION,
  -- Duration of all launches, ns.
  total_android_startup_dur DURATION,
  -- Share of launches in which collections ran.
  gc_during_android_startup_rate DOUBLE,
  -- Allocated memory by time of collections during launches, MB/s.
  gc_during_android_startup_efficiency DOUBLE
) AS
WITH gc AS (
  SELECT upid, sum(gc_running_dur) AS running_dur, sum(reclaimed_mb) AS reclaimed_mb
  FROM android_garbage_collection_events
  GROUP BY upid
),
startups AS (SELECT sum(dur) AS dur FROM _android_startups_raw)
SELECT
  w.upid, w.ts, w.dur, u.heap_total_mbs AS heap_size_mbs, u.heap_size_mb,
  a.allocated_mb AS heap_allocated_mb, a.allocated_mb * 1e9 / w.dur AS heap_allocation_rate,
  u.heap_live_mbs, u.heap_total_mbs, u.heap_live_mbs / u.heap_total_mbs AS heap_utilization,
  gc.running_dur AS gc_running_dur, gc.running_dur / cast_double!(w.dur) AS gc_running_rate,
  gc.reclaimed_mb * 1e9 / gc.running_dur AS gc_running_efficiency,
  d.gc_dur AS gc_during_android_startup_dur, startups.dur AS total_android_startup_dur,
  d.gc_dur / cast_double!(startups.dur) AS gc_during_android_startup_rate,
  a.allocated_mb * 1e9 / d.gc_dur AS gc_during_android_startup_efficiency
FROM _gc_stats_window AS w
CROSS JOIN startups
LEFT JOIN _gc_heap_utilization AS u USING (upid)
LEFT JOIN _gc_heap_allocated AS a USING (upid)
LEFT JOIN gc USING (upid)
LEFT JOIN _gc_during_android_startup AS d USING (upid);

-- Collections of all processes altogether; one row.
CREATE PERFETTO TABLE _android_garbage_collection_stats(
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Heaps times time, MB s.
  heap_size_mbs DOUBLE,
  -- Sum of the mean heaps, MB.
  heap_size_mb DOUBLE,
  -- Allocated memory, MB.
  heap_allocated_mb DOUBLE,
  -- Allocated memory by time, MB/s.
  heap_allocation_rate DOUBLE,
  -- Memory in use times time, MB s.
  heap_live_mbs DOUBLE,
  -- Heaps times time, MB s.
  heap_total_mbs DOUBLE,
  -- Share of the heaps that was in use.
  heap_utilization DOUBLE,
  -- Time of collections on a CPU, ns.
  gc_running_dur DURATION,
  -- Time of collections on a CPU by time.
  gc_running_rate DOUBLE,
  -- Freed memory by time of collections on a CPU, MB/s.
  gc_running_efficiency DOUBLE,
  -- Time of collections during launches, ns.
  gc_during_android_startup_dur DURATION,
  -- Duration of all launches, ns.
  total_android_startup_dur DURATION,
  -- Share of launches in which collections ran.
  gc_during_android_startup_rate DOUBLE,
  -- Allocated memory by time of collections during launches, MB/s.
  gc_during_android_startup_efficiency DOUBLE
) AS
SELECT
  min(ts) AS ts, max(ts + dur) - min(ts) AS dur, sum(heap_size_mbs) AS heap_size_mbs,
  sum(heap_size_mb) AS heap_size_mb, sum(heap_allocated_mb) AS heap_allocated_mb,
  sum(heap_allocated_mb) * 1e9 / (max(ts + dur) - min(ts)) AS heap_allocation_rate,
  sum(heap_live_mbs) AS heap_live_mbs, sum(heap_total_mbs) AS heap_total_mbs,
  sum(heap_live_mbs) / sum(heap_total_mbs) AS heap_utilization,
  sum(gc_running_dur) AS gc_running_dur,
  sum(gc_running_dur) / cast_double!(max(ts + dur) - min(ts)) AS gc_running_rate,
  sum(gc_running_efficiency * gc_running_dur) / sum(gc_running_dur) AS gc_running_efficiency,
  sum(gc_during_android_startup_dur) AS gc_during_android_startup_dur,
  max(total_android_startup_dur) AS total_android_startup_dur,
  sum(gc_during_android_startup_dur) / cast_double!(max(total_android_startup_dur))
    AS gc_during_android_startup_rate,
  sum(heap_allocated_mb) * 1e9 / sum(gc_during_android_startup_dur)
    AS gc_during_android_startup_efficiency
FROM _android_garbage_collection_process_stats;
