-- Scores of the OOM adjuster, which rank processes by how dispensable they are.

INCLUDE PERFETTO MODULE counters.intervals;
INCLUDE PERFETTO MODULE slices.with_context;

-- Name of the range that a score lies in.
CREATE PERFETTO FUNCTION android_oom_adj_score_to_bucket_name(
  -- Score.
  oom_score LONG
)
-- Name; NULL for a score outside of all ranges.
RETURNS STRING AS
SELECT CASE
  WHEN $oom_score >= 950 THEN 'cached'
  WHEN $oom_score >= 900 THEN 'cached'
  WHEN $oom_score >= 850 THEN 'empty_app_or_cached'
  WHEN $oom_score >= 800 THEN 'service_b'
  WHEN $oom_score >= 700 THEN 'previous'
  WHEN $oom_score >= 600 THEN 'home'
  WHEN $oom_score >= 500 THEN 'service'
  WHEN $oom_score >= 400 THEN 'heavy_weight'
  WHEN $oom_score >= 300 THEN 'backup'
  WHEN $oom_score >= 200 THEN 'perceptible'
  WHEN $oom_score >= 100 THEN 'visible'
  WHEN $oom_score >= 50 THEN 'perceptible_foreground_service'
  WHEN $oom_score >= 0 THEN 'foreground'
  WHEN $oom_score >= -700 THEN 'persistent_service'
  WHEN $oom_score >= -800 THEN 'persistent'
  WHEN $oom_score >= -900 THEN 'system'
  WHEN $oom_score >= -1000 THEN 'native'
END;

-- Name of the range that a score lies in, with applications and parts of the system distinguished.
CREATE PERFETTO FUNCTION android_oom_adj_score_to_detailed_bucket_name(
  -- Score.
  value LONG,
  -- Application number of the process.
  android_appid LONG
)
-- Name; NULL for a score outside of all ranges.
RETURNS STRING AS
SELECT CASE
  WHEN $value = -1000 AND coalesce($android_appid, 0) >= 10000 THEN 'unknown_native'
  WHEN $value IS NULL THEN NULL
  WHEN $value BETWEEN 1 AND 49 THEN 'foreground_app_other'
  WHEN $value BETWEEN 225 AND 249 THEN 'perceptible_medium'
  WHEN $value BETWEEN 250 AND 299 THEN 'perceptible_low'
  WHEN $value BETWEEN 900 AND 949 THEN 'cached'
  WHEN $value >= 950 THEN 'cached_lmk_first'
  ELSE android_oom_adj_score_to_bucket_name($value)
END;

-- Intervals of the score of each process, with the slice of the adjuster (updateOomAdj_REASON) that was
-- running on a thread of the system server when the score changed.
CREATE PERFETTO TABLE _oom_adjuster_intervals AS
WITH score AS (
  SELECT i.id, i.ts, i.dur, cast_int!(i.value) AS score, i.track_id
  FROM counter_leading_intervals!((
    SELECT c.id, c.ts, c.track_id, c.value
    FROM counter AS c
    JOIN process_counter_track AS t ON c.track_id = t.id
    WHERE t.name = 'oom_score_adj'
  )) AS i
  WHERE i.dur > 0
),
-- The last slice of the adjuster that began before the change: slices and changes by time.
merged AS (
  SELECT ts, 0 AS kind, id AS slice_id, NULL AS score_id
  FROM thread_slice
  WHERE name GLOB 'updateOomAdj_*'
  UNION ALL
  SELECT ts, 1, NULL, id FROM score
),
joined AS (
  SELECT
    score_id,
    last_non_null(slice_id) OVER (
      ORDER BY ts, kind ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS slice_id
  FROM merged
)
SELECT
  s.ts, s.dur, s.score, android_oom_adj_score_to_bucket_name(s.score) AS bucket, t.upid,
  p.name AS process_name, a.id AS oom_adj_id, a.ts AS oom_adj_ts, a.dur AS oom_adj_dur,
  a.track_id AS oom_adj_track_id, a.thread_name AS oom_adj_thread_name,
  str_split(a.name, '_', 1) AS oom_adj_reason, substr(a.name, 14) AS oom_adj_trigger
FROM score AS s
JOIN joined AS j ON j.score_id = s.id
JOIN process_counter_track AS t ON t.id = s.track_id
JOIN process AS p ON p.upid = t.upid
LEFT JOIN thread_slice AS a
  ON a.id = j.slice_id AND (a.dur = -1 OR a.ts + a.dur >= s.ts);

-- Intervals of the score of processes.
CREATE PERFETTO VIEW android_oom_adj_intervals(
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Score of the OOM adjuster.
  score LONG,
  -- Name of the range that the score lies in.
  bucket STRING,
  -- Process.
  upid JOINID(process.id),
  -- Name of the process.
  process_name STRING,
  -- Slice of the adjuster that set the score.
  oom_adj_id LONG,
  -- Start of the slice, ns.
  oom_adj_ts TIMESTAMP,
  -- Duration of the slice, ns.
  oom_adj_dur DURATION,
  -- Track of the slice.
  oom_adj_track_id JOINID(track.id),
  -- Thread of the slice.
  oom_adj_thread_name STRING,
  -- Why the adjuster ran.
  oom_adj_reason STRING,
  -- What triggered the adjuster.
  oom_adj_trigger STRING
) AS
SELECT
  ts, dur, score, bucket, upid, process_name, oom_adj_id, oom_adj_ts, oom_adj_dur,
  oom_adj_track_id, oom_adj_thread_name, oom_adj_reason, oom_adj_trigger
FROM _oom_adjuster_intervals;
