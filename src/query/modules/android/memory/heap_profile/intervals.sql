-- Native heap profiles as intervals.

-- Each dump of a heap with the time since the dump before it: ts, dur, upid, heap_name,
-- allocation_count.
CREATE PERFETTO TABLE _android_heap_profile_intervals AS
WITH dump AS (
  SELECT upid, heap_name, ts, count(*) AS allocation_count
  FROM heap_profile_allocation
  GROUP BY upid, heap_name, ts
)
SELECT
  coalesce(p.ts, lag(d.ts, 1, trace_start()) OVER by_heap) AS ts,
  coalesce(p.dur, d.ts - lag(d.ts, 1, trace_start()) OVER by_heap) AS dur,
  d.upid, d.heap_name, d.allocation_count
FROM dump AS d
LEFT JOIN heap_profile AS p ON p.upid = d.upid AND p.heap_name IS d.heap_name AND p.ts_end = d.ts
WINDOW by_heap AS (PARTITION BY d.upid, d.heap_name ORDER BY d.ts);
