-- Delivery of broadcasts.

INCLUDE PERFETTO MODULE slices.with_context;

-- Process number in the name of a slice of a broadcast.
CREATE PERFETTO FUNCTION _extract_broadcast_process_name(
  -- Name of the slice.
  name STRING
)
-- Process number.
RETURNS LONG AS
SELECT cast_int!(regexp_extract($name, '\(([0-9]+)/'));

-- The system server names the time in which a process handles a broadcast
-- "BroadcastRecord{ID U INTENT ...} (PID/PROCESS) (QUEUE)" on tracks BroadcastQueue.*[N].
-- Broadcasts that processes handled, from Android U on.
CREATE PERFETTO TABLE _android_broadcasts_minsdk_u(
  -- Id of the broadcast.
  record_id STRING,
  -- Action of the intent.
  intent_action STRING,
  -- Name of the process.
  process_name STRING,
  -- Process number of the operating system.
  pid LONG,
  -- Process.
  upid JOINID(process.id),
  -- Queue of the process.
  process_queue_id STRING,
  -- Queue of the system.
  queue_id LONG,
  -- Slice.
  id JOINID(slice.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Track.
  track_id JOINID(track.id)
) AS
WITH sent AS (
  SELECT
    s.id, s.ts, s.dur, s.track_id,
    regexp_extract(s.name, '^BroadcastRecord\{([0-9a-f]+)') AS record_id,
    regexp_extract(s.name, 'u-?[0-9]+ ([^ }]+)') AS intent_action,
    _extract_broadcast_process_name(s.name) AS pid,
    regexp_extract(s.track_name, '\[([0-9]+)\]') AS process_queue_id,
    regexp_extract(s.track_name, '^([^\[]*)') AS queue_id
  FROM process_slice AS s
  WHERE s.process_name = 'system_server' AND s.name GLOB 'BroadcastRecord{*'
),
upid_of AS (
  SELECT pid, max(upid) AS upid FROM process GROUP BY pid
)
SELECT
  sent.record_id, sent.intent_action, p.name AS process_name, sent.pid, u.upid,
  sent.process_queue_id, sent.queue_id, sent.id, sent.ts, sent.dur, sent.track_id
FROM sent
LEFT JOIN upid_of AS u USING (pid)
LEFT JOIN process AS p ON p.upid = u.upid
ORDER BY sent.ts;
