-- Highest resident memory of processes so far.

INCLUDE PERFETTO MODULE linux.memory.process;

-- Each growth of the highest resident memory: ts, dur, upid, rss_high_watermark.
CREATE PERFETTO TABLE _memory_rss_high_watermark_per_process_table AS
WITH sample AS (
  SELECT
    c.ts, t.upid, cast_int!(max(c.value) OVER (PARTITION BY t.upid ORDER BY c.ts, c.id)) AS high
  FROM counter AS c
  JOIN process_counter_track AS t ON c.track_id = t.id
  WHERE t.name = 'mem.rss.watermark'
  UNION ALL
  SELECT
    r.ts, r.upid, max(r.rss) OVER (PARTITION BY r.upid ORDER BY r.ts) AS high
  FROM _memory_rss_and_swap_per_process_table AS r
  WHERE r.upid NOT IN (SELECT upid FROM process_counter_track WHERE name = 'mem.rss.watermark')
),
growth AS (
  SELECT ts, upid, high, lag(high) OVER (PARTITION BY upid ORDER BY ts) AS previous
  FROM sample
)
SELECT
  ts, lead(ts, 1, trace_end()) OVER (PARTITION BY upid ORDER BY ts) - ts AS dur, upid,
  high AS rss_high_watermark
FROM growth
WHERE previous IS NULL OR high > previous;

-- Intervals of the highest resident memory of a process so far: as the kernel reports it, else the
-- running maximum of the resident memory.
CREATE PERFETTO VIEW memory_rss_high_watermark_per_process(
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Process.
  upid JOINID(process.id),
  -- Process number of the operating system.
  pid LONG,
  -- Name of the process.
  process_name STRING,
  -- Highest resident memory so far, bytes.
  rss_high_watermark LONG
) AS
SELECT w.ts, w.dur, w.upid, p.pid, p.name AS process_name, w.rss_high_watermark
FROM _memory_rss_high_watermark_per_process_table AS w
JOIN process AS p USING (upid);
