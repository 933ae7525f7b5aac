-- Starts of processes of applications.

INCLUDE PERFETTO MODULE slices.with_context;

-- Slices "Start proc: PROCESS" of the system server: start_id, ts, dur, process_name, id, track_id.
CREATE PERFETTO VIEW _proc_start AS
SELECT
  id AS start_id, ts AS proc_start_ts, dur AS proc_start_dur, id, track_id,
  substr(name, 13) AS process_name
FROM thread_or_process_slice
WHERE name GLOB 'Start proc: *';

-- What a new process did first: handling of an activity, service or receiver, after bindApplication.
CREATE PERFETTO TABLE _cold_start AS
WITH bind AS (
  SELECT id, ts, dur, upid, utid, pid, process_name
  FROM thread_slice
  WHERE name = 'bindApplication' AND is_main_thread
),
work AS (
  SELECT
    b.id, b.ts AS bind_app_ts, b.dur AS bind_app_dur, b.upid, b.pid, b.process_name,
    s.ts AS intent_ts, s.dur AS intent_dur, s.name AS intent_name,
    row_number() OVER (PARTITION BY b.id ORDER BY s.ts) AS rank
  FROM bind AS b
  JOIN thread_slice AS s ON s.utid = b.utid AND s.ts >= b.ts + b.dur
  WHERE s.name GLOB 'activityStart*' OR s.name GLOB 'serviceCreate*' OR s.name GLOB 'serviceBind*'
    OR s.name GLOB 'broadcastReceiveComp*'
)
SELECT
  id, bind_app_ts, bind_app_dur, upid, pid, process_name, intent_ts, intent_dur, intent_name,
  CASE
    WHEN intent_name GLOB 'activityStart*' THEN 'activity'
    WHEN intent_name GLOB 'service*' THEN 'service'
    ELSE 'broadcast'
  END AS reason
FROM work
WHERE rank = 1;

-- Starts for an activity, service or receiver with the work of the system server: the last start of
-- that process name before bindApplication.
CREATE PERFETTO VIEW _cold_proc_start AS
SELECT
  p.start_id, p.id, p.track_id, c.process_name, c.pid, c.upid, c.intent_name AS intent, c.reason,
  max(p.proc_start_ts) AS proc_start_ts, p.proc_start_dur, c.bind_app_ts, c.bind_app_dur,
  c.intent_ts, c.intent_dur
FROM _cold_start AS c
JOIN _proc_start AS p ON p.process_name = c.process_name AND p.proc_start_ts <= c.bind_app_ts
GROUP BY c.id;

-- Processes that were started for a content provider: bindApplication without other work.
CREATE PERFETTO TABLE _provider_start AS
SELECT s.id, s.ts AS bind_app_ts, s.dur AS bind_app_dur, s.upid, s.pid, s.process_name
FROM thread_slice AS s
WHERE s.name = 'bindApplication' AND s.is_main_thread
  AND s.id NOT IN (SELECT id FROM _cold_start);

-- Starts for a content provider with the work of the system server.
CREATE PERFETTO VIEW _provider_proc_start AS
SELECT
  p.start_id, p.id, p.track_id, c.process_name, c.pid, c.upid, NULL AS intent,
  'provider' AS reason, max(p.proc_start_ts) AS proc_start_ts, p.proc_start_dur, c.bind_app_ts,
  c.bind_app_dur, NULL AS intent_ts, NULL AS intent_dur
FROM _provider_start AS c
JOIN _proc_start AS p ON p.process_name = c.process_name AND p.proc_start_ts <= c.bind_app_ts
GROUP BY c.id;

-- Starts of processes, from the system's order to the first work of the process.
CREATE PERFETTO TABLE android_app_process_starts(
  -- Start: slice of the system server.
  start_id LONG,
  -- Slice of the system server.
  id LONG,
  -- Track.
  track_id JOINID(track.id),
  -- Name of the process.
  process_name STRING,
  -- Process number of the operating system.
  pid LONG,
  -- Process.
  upid JOINID(process.id),
  -- What the process did first.
  intent STRING,
  -- Why the process was started: activity, service, broadcast or provider.
  reason STRING,
  -- Start of the work of the system server, ns.
  proc_start_ts TIMESTAMP,
  -- Duration of the work of the system server, ns.
  proc_start_dur DURATION,
  -- Start of bindApplication, ns.
  bind_app_ts TIMESTAMP,
  -- Duration of bindApplication, ns.
  bind_app_dur DURATION,
  -- Start of the first work, ns.
  intent_ts TIMESTAMP,
  -- Duration of the first work, ns.
  intent_dur DURATION,
  -- Time from the order to the end of the first work, ns.
  total_dur LONG
) AS
SELECT
  start_id, id, track_id, process_name, pid, upid, intent, reason, proc_start_ts, proc_start_dur,
  bind_app_ts, bind_app_dur, intent_ts, intent_dur,
  coalesce(intent_ts + intent_dur, bind_app_ts + bind_app_dur) - proc_start_ts AS total_dur
FROM (
  SELECT * FROM _cold_proc_start
  UNION ALL
  SELECT * FROM _provider_proc_start
)
ORDER BY proc_start_ts;
