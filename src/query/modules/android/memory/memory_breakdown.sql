-- Memory counters of processes over time, by kind.

INCLUDE PERFETTO MODULE android.oom_adjuster;
INCLUDE PERFETTO MODULE counters.intervals;
INCLUDE PERFETTO MODULE intervals.intersect;

-- Intervals of the memory counters of processes.
CREATE PERFETTO TABLE android_process_memory_intervals(
  -- Counter sample at the start.
  id ID(counter.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Name of the process.
  process_name STRING,
  -- Process.
  upid JOINID(process.upid),
  -- Process number of the operating system.
  pid JOINID(process.pid),
  -- Name of the counter.
  memory_track_name STRING,
  -- Track.
  track_id JOINID(track.id),
  -- Memory, bytes.
  value LONG,
  -- Memory, bytes, without what the zygote had when the process was forked from it; not below 0.
  zygote_adjusted_value LONG,
  -- 1 if the counter rose and fell by more than 100 MiB within 100 ms.
  track_has_spike_gt_100mib BOOL
) AS
WITH sample AS (
  SELECT i.id, i.ts, i.dur, i.track_id, i.value, i.next_value, i.delta_value
  FROM counter_leading_intervals!((
    SELECT c.id, c.ts, c.track_id, c.value
    FROM counter AS c
    JOIN process_counter_track AS t ON c.track_id = t.id
    WHERE t.name IN (
      'mem.rss.anon', 'mem.rss.file', 'mem.rss.shmem', 'mem.swap', 'mem.dmabuf_rss', 'mem.locked',
      'GPU Memory', 'Heap size (KB)'
    )
  )) AS i
),
spike AS (
  SELECT DISTINCT track_id
  FROM sample
  WHERE delta_value > 104857600 AND value - next_value > 104857600 AND dur < 100000000
),
zygote AS (
  SELECT t.name, min(c.value) AS value
  FROM counter AS c
  JOIN process_counter_track AS t ON c.track_id = t.id
  JOIN process AS p ON p.upid = t.upid
  WHERE p.name IN ('zygote', 'zygote64') AND t.name IN ('mem.rss.anon', 'mem.swap')
  GROUP BY t.name
)
SELECT
  s.id, s.ts, s.dur, p.name AS process_name, t.upid, p.pid, t.name AS memory_track_name, s.track_id,
  cast_int!(s.value) AS value,
  cast_int!(iif(
    parent.name IN ('zygote', 'zygote64'), max(0, s.value - coalesce(z.value, 0)), s.value
  )) AS zygote_adjusted_value,
  spike.track_id IS NOT NULL AS track_has_spike_gt_100mib
FROM sample AS s
JOIN process_counter_track AS t ON t.id = s.track_id
JOIN process AS p ON p.upid = t.upid
LEFT JOIN process AS parent ON parent.upid = p.parent_upid
LEFT JOIN zygote AS z ON z.name = t.name
LEFT JOIN spike ON spike.track_id = s.track_id
WHERE s.dur > 0;

-- Intervals of the score with the detailed name of its range: id, ts, dur, upid, bucket.
CREATE PERFETTO TABLE _memory_breakdown_oom_intervals_prepared AS
SELECT
  row_number() OVER () AS id, o.ts, o.dur, o.upid,
  android_oom_adj_score_to_detailed_bucket_name(o.score, p.android_appid) AS bucket
FROM _oom_adjuster_intervals AS o
JOIN process AS p USING (upid)
WHERE o.dur > 0;

-- Pieces of the intervals in which the score did not change: ts, dur, counter_id, oom_id.
CREATE PERFETTO TABLE _memory_breakdown_pieces AS
SELECT ts, dur, id_0 AS counter_id, id_1 AS oom_id
FROM _interval_intersect!(
  (
    (SELECT id, ts, dur, upid FROM android_process_memory_intervals),
    (SELECT id, ts, dur, upid FROM _memory_breakdown_oom_intervals_prepared)
  ),
  (upid)
);

-- The same, cut at each change of the score of the process.
CREATE PERFETTO TABLE android_process_memory_intervals_by_oom_bucket(
  -- Number of the interval.
  id LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Name of the process.
  process_name STRING,
  -- Process.
  upid JOINID(process.upid),
  -- Process number of the operating system.
  pid JOINID(process.pid),
  -- Name of the range that the score lies in; unknown where there is no score.
  bucket STRING,
  -- Name of the counter.
  memory_track_name STRING,
  -- Track.
  track_id JOINID(track.id),
  -- Counter sample at the start.
  counter_id JOINID(counter.id),
  -- Memory, bytes.
  value LONG,
  -- Memory, bytes, without what the zygote had when the process was forked from it; not below 0.
  zygote_adjusted_value LONG,
  -- 1 if the counter rose and fell by more than 100 MiB within 100 ms.
  track_has_spike_gt_100mib BOOL
) AS
WITH piece AS (
  SELECT i.ts, i.dur, i.counter_id, o.bucket
  FROM _memory_breakdown_pieces AS i
  JOIN _memory_breakdown_oom_intervals_prepared AS o ON o.id = i.oom_id
  UNION ALL
  SELECT ts, dur, id, 'unknown'
  FROM android_process_memory_intervals
  WHERE upid NOT IN (SELECT upid FROM _memory_breakdown_oom_intervals_prepared)
)
SELECT
  row_number() OVER (ORDER BY p.ts, p.counter_id) AS id, p.ts, p.dur, m.process_name, m.upid, m.pid,
  p.bucket, m.memory_track_name, m.track_id, p.counter_id, m.value, m.zygote_adjusted_value,
  m.track_has_spike_gt_100mib
FROM piece AS p
JOIN android_process_memory_intervals AS m ON m.id = p.counter_id;
