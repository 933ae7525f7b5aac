-- Low memory kills.

INCLUDE PERFETTO MODULE slices.with_context;

-- Text of a reason of the daemon lmkd.
CREATE PERFETTO FUNCTION _android_lmk_kill_reason_string(
  -- Number of the reason.
  kill_reason LONG
)
-- Text; NULL for an unknown number.
RETURNS STRING AS
SELECT CASE $kill_reason
  WHEN -1 THEN 'UNKNOWN'
  WHEN 0 THEN 'PRESSURE_AFTER_KILL'
  WHEN 1 THEN 'NOT_RESPONDING'
  WHEN 2 THEN 'LOW_SWAP_AND_THRASHING'
  WHEN 3 THEN 'LOW_MEM_AND_SWAP'
  WHEN 4 THEN 'LOW_MEM_AND_THRASHING'
  WHEN 5 THEN 'DIRECT_RECL_AND_THRASHING'
  WHEN 6 THEN 'LOW_MEM_AND_SWAP_UTIL'
  WHEN 7 THEN 'LOW_FILECACHE_AFTER_THRASHING'
  WHEN 8 THEN 'LOW_MEM'
  WHEN 9 THEN 'DIRECT_RECL_STUCK'
END;

-- Kills that the importer places on a track of the killed process: ts, upid.
CREATE PERFETTO TABLE _lmk_instant_events AS
SELECT s.ts, t.upid
FROM slice AS s
JOIN process_track AS t ON s.track_id = t.id
WHERE t.type = 'android_lmk';

-- Marks "lmk,PID,REASON,..." of lmkd: ts, pid, kill_reason, oom_score_adj.
CREATE PERFETTO TABLE _legacy_lmk_events AS
SELECT
  ts, cast_int!(str_split(name, ',', 1)) AS pid,
  cast_int!(str_split(name, ',', 2)) AS kill_reason,
  cast_int!(str_split(name, ',', 3)) AS oom_score_adj
FROM slice
WHERE name GLOB 'lmk,[0-9]*';

-- Kills of the function kill_one_process of lmkd: ts, pid, and the reason if the mark has one.
CREATE PERFETTO TABLE _kill_one_process_events AS
SELECT
  s.ts, cast_int!(regexp_extract(s.name, 'kill_one_process\(([0-9]+)')) AS pid,
  NULL AS kill_reason
FROM slice AS s
WHERE s.name GLOB 'kill_one_process(*';

-- All kills: ts, upid, kill_reason, oom_score_adj. A pid is that of the last process that began
-- before the kill.
CREATE PERFETTO VIEW _android_lmk_events AS
SELECT ts, upid, NULL AS kill_reason, NULL AS oom_score_adj FROM _lmk_instant_events
UNION ALL
SELECT
  e.ts,
  (
    SELECT upid FROM process
    WHERE pid = e.pid AND (start_ts IS NULL OR start_ts <= e.ts)
    ORDER BY start_ts DESC LIMIT 1
  ) AS upid,
  e.kill_reason, e.oom_score_adj
FROM (
  SELECT ts, pid, kill_reason, oom_score_adj FROM _legacy_lmk_events
  UNION ALL
  SELECT ts, pid, kill_reason, NULL FROM _kill_one_process_events
  WHERE NOT EXISTS(SELECT 1 FROM _legacy_lmk_events)
) AS e;

-- Kills of processes for lack of memory.
CREATE PERFETTO TABLE android_lmk_events(
  -- Time, ns.
  ts TIMESTAMP,
  -- Process.
  upid JOINID(process.upid),
  -- Process number of the operating system.
  pid LONG,
  -- Name of the process.
  process_name STRING,
  -- Score of the process when it was killed.
  oom_score_adj LONG,
  -- Reason, if the trace tells it.
  kill_reason STRING,
  -- Number of the reason.
  kill_reason_raw LONG
) AS
WITH score AS (
  SELECT c.ts, t.upid, c.value, NULL AS kill_id
  FROM counter AS c
  JOIN process_counter_track AS t ON c.track_id = t.id
  WHERE t.name = 'oom_score_adj'
),
kill AS (
  SELECT
    ts, upid, kill_reason, oom_score_adj, row_number() OVER (ORDER BY ts) AS kill_id
  FROM _android_lmk_events
),
merged AS (
  SELECT ts, upid, value, kill_id FROM score
  UNION ALL
  SELECT ts, upid, NULL, kill_id FROM kill
),
known AS (
  SELECT
    kill_id,
    last_non_null(value) OVER (
      PARTITION BY upid ORDER BY ts, kill_id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS value
  FROM merged
)
SELECT
  kill.ts, kill.upid, p.pid, p.name AS process_name,
  coalesce(kill.oom_score_adj, cast_int!(known.value)) AS oom_score_adj,
  _android_lmk_kill_reason_string(kill.kill_reason) AS kill_reason,
  kill.kill_reason AS kill_reason_raw
FROM kill
LEFT JOIN known ON known.kill_id = kill.kill_id
LEFT JOIN process AS p USING (upid)
ORDER BY kill.ts;
