-- Frozen processes.

-- Process number in the name of a mark of the freezer.
CREATE PERFETTO FUNCTION _extract_freezer_pid(
  -- Name of the mark, which ends with PROCESS:PID.
  name STRING
)
-- Process number.
RETURNS LONG AS
SELECT cast_int!(regexp_extract($name, ':([0-9]+)[^:]*$'));

-- Process that had a number at a time.
CREATE PERFETTO FUNCTION _pid_to_upid(
  -- Process number of the operating system.
  pid LONG,
  -- Time, ns.
  event_ts TIMESTAMP
)
-- Process.
RETURNS LONG AS
SELECT upid
FROM process
WHERE pid = $pid AND (start_ts IS NULL OR start_ts <= $event_ts)
  AND (end_ts IS NULL OR end_ts >= $event_ts)
ORDER BY start_ts DESC
LIMIT 1;

-- Text of a reason for which a process was unfrozen.
CREATE PERFETTO FUNCTION _translate_unfreeze_reason(
  -- Number of the reason.
  reason LONG
)
-- Text; NULL for an unknown number.
RETURNS STRING AS
SELECT CASE $reason
  WHEN 0 THEN 'none' WHEN 1 THEN 'activity' WHEN 2 THEN 'finish_receiver'
  WHEN 3 THEN 'start_receiver' WHEN 4 THEN 'bind_service' WHEN 5 THEN 'unbind_service'
  WHEN 6 THEN 'start_service' WHEN 7 THEN 'get_provider' WHEN 8 THEN 'remove_provider'
  WHEN 9 THEN 'ui_visibility' WHEN 10 THEN 'allowlist' WHEN 11 THEN 'process_begin'
  WHEN 12 THEN 'process_end' WHEN 13 THEN 'trim_memory' WHEN 15 THEN 'ping'
  WHEN 16 THEN 'file_locks' WHEN 17 THEN 'file_lock_check_failure' WHEN 18 THEN 'binder_txns'
  WHEN 19 THEN 'feature_flags' WHEN 20 THEN 'short_fgs_timeout' WHEN 21 THEN 'system_init'
  WHEN 22 THEN 'backup' WHEN 23 THEN 'shell' WHEN 24 THEN 'remove_task'
  WHEN 25 THEN 'uid_idle' WHEN 26 THEN 'stop_service' WHEN 27 THEN 'executing_service'
  WHEN 28 THEN 'restriction_change' WHEN 29 THEN 'component_disabled'
END;

-- Marks "Freeze PROCESS:PID ..." and "Unfreeze PROCESS:PID REASON" of the system server.
-- Intervals in which a process was frozen, cut at the end of the trace.
CREATE PERFETTO TABLE android_freezer_events(
  -- Process.
  upid JOINID(process.id),
  -- Process number of the operating system.
  pid LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Number of the reason for which the process was unfrozen.
  unfreeze_reason_int LONG,
  -- Text of the reason.
  unfreeze_reason_str STRING
) AS
WITH mark AS (
  SELECT
    ts, name GLOB 'Freeze *' AS is_freeze, _extract_freezer_pid(name) AS pid,
    iif(name GLOB 'Unfreeze *', cast_int!(regexp_extract(name, ' ([0-9]+)$')), NULL) AS reason
  FROM slice
  WHERE name GLOB 'Freeze *:[0-9]*' OR name GLOB 'Unfreeze *:[0-9]*'
),
paired AS (
  SELECT
    ts, pid, is_freeze,
    lead(ts, 1, trace_end()) OVER by_pid AS ts_end,
    lead(reason) OVER by_pid AS reason
  FROM mark
  WINDOW by_pid AS (PARTITION BY pid ORDER BY ts)
)
SELECT
  _pid_to_upid(pid, ts) AS upid, pid, ts, ts_end - ts AS dur, reason AS unfreeze_reason_int,
  _translate_unfreeze_reason(reason) AS unfreeze_reason_str
FROM paired
WHERE is_freeze
ORDER BY ts;
