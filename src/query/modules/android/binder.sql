-- Binder transactions with both of their ends.

INCLUDE PERFETTO MODULE android.oom_adjuster;
INCLUDE PERFETTO MODULE android.process_metadata;
INCLUDE PERFETTO MODULE android.suspend;
INCLUDE PERFETTO MODULE intervals.intersect;
INCLUDE PERFETTO MODULE slices.with_context;

-- Number of slices of transactions of each process.
CREATE PERFETTO VIEW android_binder_metrics_by_process(
  -- Name of the process.
  process_name STRING,
  -- Process number of the operating system.
  pid LONG,
  -- binder transaction, binder reply, binder transaction async or binder async rcv.
  slice_name STRING,
  -- Number of slices.
  event_count LONG
) AS
SELECT process_name, pid, name AS slice_name, count(*) AS event_count
FROM thread_slice
WHERE name GLOB 'binder *'
GROUP BY upid, name;

-- Names of methods below slices of transactions: parent slice, name, ts, dur. They are slices
-- AIDL::LANGUAGE::INTERFACE::METHOD::SIDE, or HIDL alike.
CREATE PERFETTO TABLE _binder_aidl AS
SELECT parent_id AS id, name AS aidl_name, min(ts) AS aidl_ts, dur AS aidl_dur
FROM slice
WHERE (name GLOB 'AIDL::*' OR name GLOB 'HIDL::*') AND parent_id IS NOT NULL
GROUP BY parent_id
ORDER BY parent_id;

-- Scores of processes: ts, dur, upid, score.
CREATE PERFETTO TABLE _oom_score AS
SELECT upid, ts, dur, score FROM _oom_adjuster_intervals ORDER BY upid, ts;

-- Slices of synchronous calls on the side of the client.
CREATE PERFETTO VIEW _binder_txn AS
SELECT id, ts, dur, utid, tid, thread_name, upid, pid, process_name, is_main_thread
FROM thread_slice
WHERE name = 'binder transaction';

-- Slices of synchronous calls on the side of the server.
CREATE PERFETTO VIEW _binder_reply AS
SELECT id, ts, dur, utid, tid, thread_name, upid, pid, process_name
FROM thread_slice
WHERE name = 'binder reply';

-- Synchronous calls: the slice of the client, and that of the server to which its flow leads.
CREATE PERFETTO VIEW _sync_binder_metrics_by_txn AS
SELECT
  t.id AS binder_txn_id, t.process_name AS client_process, t.thread_name AS client_thread,
  t.upid AS client_upid, t.utid AS client_utid, t.tid AS client_tid, t.pid AS client_pid,
  t.is_main_thread, t.ts AS client_ts, t.dur AS client_dur, r.id AS binder_reply_id,
  r.process_name AS server_process, r.thread_name AS server_thread, r.upid AS server_upid,
  r.utid AS server_utid, r.tid AS server_tid, r.pid AS server_pid, r.ts AS server_ts,
  r.dur AS server_dur, 1 AS is_sync
FROM flow AS f
JOIN _binder_txn AS t ON t.id = f.slice_out
JOIN _binder_reply AS r ON r.id = f.slice_in;

-- Slices of one-way calls on the side of the server.
CREATE PERFETTO TABLE _async_binder_reply AS
SELECT id, ts, dur, utid, tid, thread_name, upid, pid, process_name
FROM thread_slice
WHERE name = 'binder async rcv'
ORDER BY id;

-- One-way calls: pairs of slices.
CREATE PERFETTO TABLE _binder_async_txn_raw AS
SELECT f.slice_out AS binder_txn_id, f.slice_in AS binder_reply_id
FROM flow AS f
JOIN slice AS t ON t.id = f.slice_out
JOIN slice AS r ON r.id = f.slice_in
WHERE t.name = 'binder transaction async' AND r.name = 'binder async rcv'
ORDER BY f.slice_in;

-- One-way calls with the time in which the server worked: from the receipt to the end of the next
-- slice of that thread that is named after a method.
CREATE PERFETTO TABLE _binder_async_txn AS
WITH work AS (
  SELECT utid, ts, ts + dur AS ts_end, 0 AS kind, NULL AS reply_id
  FROM thread_slice
  WHERE name GLOB 'AIDL::*' OR name GLOB 'HIDL::*'
  UNION ALL
  SELECT utid, ts, NULL, 1, id FROM _async_binder_reply
),
next_work AS (
  SELECT
    reply_id,
    lead(kind) OVER by_thread AS next_kind,
    lead(ts_end) OVER by_thread AS next_end
  FROM work
  WINDOW by_thread AS (PARTITION BY utid ORDER BY ts, kind DESC)
)
SELECT
  p.binder_txn_id, p.binder_reply_id, iif(n.next_kind = 0, n.next_end, NULL) AS server_end
FROM _binder_async_txn_raw AS p
LEFT JOIN next_work AS n ON n.reply_id = p.binder_reply_id
ORDER BY p.binder_reply_id;

-- One-way calls with both ends.
CREATE PERFETTO VIEW _async_binder_metrics_by_txn AS
SELECT
  t.id AS binder_txn_id, t.process_name AS client_process, t.thread_name AS client_thread,
  t.upid AS client_upid, t.utid AS client_utid, t.tid AS client_tid, t.pid AS client_pid,
  t.is_main_thread, t.ts AS client_ts, t.dur AS client_dur, r.id AS binder_reply_id,
  r.process_name AS server_process, r.thread_name AS server_thread, r.upid AS server_upid,
  r.utid AS server_utid, r.tid AS server_tid, r.pid AS server_pid, r.ts AS server_ts,
  coalesce(p.server_end - r.ts, r.dur) AS server_dur, 0 AS is_sync
FROM _binder_async_txn AS p
JOIN thread_slice AS t ON t.id = p.binder_txn_id
JOIN _async_binder_reply AS r ON r.id = p.binder_reply_id;

-- All calls.
CREATE PERFETTO TABLE _binder_txn_merged AS
WITH call AS (
  SELECT * FROM _sync_binder_metrics_by_txn
  UNION ALL
  SELECT * FROM _async_binder_metrics_by_txn
)
SELECT call.*, row_number() OVER (ORDER BY call.client_ts, call.binder_txn_id) AS call_id
FROM call
ORDER BY call.client_ts;

-- Scores of one side of all calls: the last score of the process that began before the call.
CREATE PERFETTO MACRO _binder_oom_score(
  -- Column with the process.
  upid_column ColumnName,
  -- Column with the time.
  ts_column ColumnName
)
-- Rows call_id, score.
RETURNS TableOrSubquery AS
(
  SELECT call_id, score
  FROM (
    SELECT
      call_id,
      last_non_null(score) OVER (
        PARTITION BY upid ORDER BY ts, call_id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      ) AS score
    FROM (
      SELECT upid, ts, score, NULL AS call_id FROM _oom_score
      UNION ALL
      SELECT $upid_column, $ts_column, NULL, call_id FROM _binder_txn_merged
    )
  )
  WHERE call_id IS NOT NULL
);

-- Binder transactions, with client and server.
CREATE PERFETTO TABLE android_binder_txns(
  -- Name of the called method, with language, interface and side.
  aidl_name STRING,
  -- Name of the interface.
  interface STRING,
  -- Name of the method.
  method_name STRING,
  -- Start of the method on the server, ns.
  aidl_ts TIMESTAMP,
  -- Duration of the method on the server, ns.
  aidl_dur DURATION,
  -- Slice of the client.
  binder_txn_id JOINID(slice.id),
  -- Name of the client's process.
  client_process STRING,
  -- Name of the client's thread.
  client_thread STRING,
  -- Process of the client.
  client_upid JOINID(process.id),
  -- Thread of the client.
  client_utid JOINID(thread.id),
  -- Thread number of the client.
  client_tid LONG,
  -- Process number of the client.
  client_pid LONG,
  -- 1 if the client's thread is the main thread of its process.
  is_main_thread BOOL,
  -- Start of the call, ns.
  client_ts TIMESTAMP,
  -- Duration of the call, ns.
  client_dur DURATION,
  -- Slice of the server.
  binder_reply_id JOINID(slice.id),
  -- Name of the server's process.
  server_process STRING,
  -- Name of the server's thread.
  server_thread STRING,
  -- Process of the server.
  server_upid JOINID(process.id),
  -- Thread of the server.
  server_utid JOINID(thread.id),
  -- Thread number of the server.
  server_tid LONG,
  -- Process number of the server.
  server_pid LONG,
  -- Start of the handling, ns.
  server_ts TIMESTAMP,
  -- Duration of the handling, ns.
  server_dur DURATION,
  -- Score of the client's process.
  client_oom_score LONG,
  -- Score of the server's process.
  server_oom_score LONG,
  -- 1 for a call that waits for its result, 0 for a one-way call.
  is_sync BOOL,
  -- Duration of the call without suspends of the device, ns.
  client_monotonic_dur DURATION,
  -- Duration of the handling without suspends of the device, ns.
  server_monotonic_dur DURATION,
  -- Version of the client's package.
  client_package_version_code LONG,
  -- Version of the server's package.
  server_package_version_code LONG,
  -- 1 if the client's package may be debugged.
  is_client_package_debuggable BOOL,
  -- 1 if the server's package may be debugged.
  is_server_package_debuggable BOOL
) AS
SELECT
  coalesce(a.aidl_name, ca.aidl_name) AS aidl_name,
  str_split(coalesce(a.aidl_name, ca.aidl_name), '::', 2) AS interface,
  str_split(coalesce(a.aidl_name, ca.aidl_name), '::', 3) AS method_name,
  coalesce(a.aidl_ts, ca.aidl_ts) AS aidl_ts, coalesce(a.aidl_dur, ca.aidl_dur) AS aidl_dur,
  m.binder_txn_id, m.client_process, m.client_thread, m.client_upid, m.client_utid, m.client_tid,
  m.client_pid, m.is_main_thread, m.client_ts, m.client_dur, m.binder_reply_id, m.server_process,
  m.server_thread, m.server_upid, m.server_utid, m.server_tid, m.server_pid, m.server_ts,
  m.server_dur, cast_int!(co.score) AS client_oom_score, cast_int!(so.score) AS server_oom_score,
  m.is_sync, _extract_duration_without_suspend(m.client_ts, m.client_dur) AS client_monotonic_dur,
  _extract_duration_without_suspend(m.server_ts, m.server_dur) AS server_monotonic_dur,
  cp.version_code AS client_package_version_code, sp.version_code AS server_package_version_code,
  cp.debuggable AS is_client_package_debuggable, sp.debuggable AS is_server_package_debuggable
FROM _binder_txn_merged AS m
LEFT JOIN _binder_aidl AS a ON a.id = m.binder_reply_id
LEFT JOIN _binder_aidl AS ca ON ca.id = m.binder_txn_id
LEFT JOIN _binder_oom_score!(client_upid, client_ts) AS co ON co.call_id = m.call_id
LEFT JOIN _binder_oom_score!(server_upid, server_ts) AS so ON so.call_id = m.call_id
LEFT JOIN android_process_metadata AS cp ON cp.upid = m.client_upid
LEFT JOIN android_process_metadata AS sp ON sp.upid = m.server_upid
ORDER BY m.client_ts;

-- Time of both threads of synchronous calls in each scheduling state: binder_txn_id, side, state,
-- blocked_function, dur, count.
CREATE PERFETTO TABLE _sync_binder_thread_state AS
WITH side AS (
  SELECT
    2 * call_id AS id, client_ts AS ts, client_dur AS dur, client_utid AS utid
  FROM _binder_txn_merged
  WHERE is_sync AND client_dur > 0
  UNION ALL
  SELECT 2 * call_id + 1, server_ts, server_dur, server_utid
  FROM _binder_txn_merged
  WHERE is_sync AND server_dur > 0
),
piece AS (
  SELECT id_0 AS id, id_1 AS thread_state_id, dur
  FROM _interval_intersect!(
    (side, (SELECT id, ts, dur, utid FROM thread_state WHERE dur > 0)), (utid)
  )
)
SELECT
  p.id / 2 AS call_id, p.id % 2 AS is_server, t.state, t.blocked_function, sum(p.dur) AS dur,
  count(*) AS count
FROM piece AS p
JOIN thread_state AS t ON t.id = p.thread_state_id
GROUP BY p.id, t.state, t.blocked_function;

-- Time of client and server in each scheduling state during synchronous calls.
CREATE PERFETTO VIEW android_sync_binder_thread_state_by_txn(
  -- Slice of the transaction.
  binder_txn_id LONG,
  -- Start of the call, ns.
  client_ts TIMESTAMP,
  -- Thread number of the client.
  client_tid LONG,
  -- Slice of the reply.
  binder_reply_id LONG,
  -- Start of the handling, ns.
  server_ts TIMESTAMP,
  -- Thread number of the server.
  server_tid LONG,
  -- Side: binder_txn (client) or binder_reply (server).
  thread_state_type STRING,
  -- State of the thread.
  thread_state STRING,
  -- Time in the state, ns.
  thread_state_dur DURATION,
  -- Number of times.
  thread_state_count LONG
) AS
SELECT
  m.binder_txn_id, m.client_ts, m.client_tid, m.binder_reply_id, m.server_ts, m.server_tid,
  iif(s.is_server, 'binder_reply', 'binder_txn') AS thread_state_type, s.state AS thread_state,
  sum(s.dur) AS thread_state_dur, sum(s.count) AS thread_state_count
FROM _sync_binder_thread_state AS s
JOIN _binder_txn_merged AS m USING (call_id)
GROUP BY s.call_id, s.is_server, s.state;

-- Time of client and server in kernel functions in which they waited during synchronous calls.
CREATE PERFETTO VIEW android_sync_binder_blocked_functions_by_txn(
  -- Slice of the transaction.
  binder_txn_id LONG,
  -- Start of the call, ns.
  client_ts TIMESTAMP,
  -- Thread number of the client.
  client_tid LONG,
  -- Slice of the reply.
  binder_reply_id LONG,
  -- Start of the handling, ns.
  server_ts TIMESTAMP,
  -- Thread number of the server.
  server_tid LONG,
  -- Side: binder_txn (client) or binder_reply (server).
  thread_state_type STRING,
  -- Kernel function in which the thread waited.
  blocked_function STRING,
  -- Time in the function, ns.
  blocked_function_dur DURATION,
  -- Number of times.
  blocked_function_count LONG
) AS
SELECT
  m.binder_txn_id, m.client_ts, m.client_tid, m.binder_reply_id, m.server_ts, m.server_tid,
  iif(s.is_server, 'binder_reply', 'binder_txn') AS thread_state_type, s.blocked_function,
  sum(s.dur) AS blocked_function_dur, sum(s.count) AS blocked_function_count
FROM _sync_binder_thread_state AS s
JOIN _binder_txn_merged AS m USING (call_id)
WHERE s.blocked_function IS NOT NULL
GROUP BY s.call_id, s.is_server, s.blocked_function;
