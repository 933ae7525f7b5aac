-- Synchronous binder calls, split by what client and server did.

INCLUDE PERFETTO MODULE android.binder;
INCLUDE PERFETTO MODULE intervals.intersect;
INCLUDE PERFETTO MODULE slices.flat_slices;

-- Synchronous calls on the side of the client: id (of the transaction), ts, dur, utid.
CREATE PERFETTO VIEW _binder_client_view AS
SELECT binder_txn_id AS id, binder_reply_id, client_ts AS ts, client_dur AS dur, client_utid AS utid
FROM _binder_txn_merged
WHERE is_sync AND client_dur > 0;

-- Synchronous calls on the side of the server: id (of the reply), ts, dur, utid.
CREATE PERFETTO VIEW _binder_server_view AS
SELECT binder_reply_id AS id, binder_txn_id, server_ts AS ts, server_dur AS dur, server_utid AS utid
FROM _binder_txn_merged
WHERE is_sync AND server_dur > 0;

-- Closed states of threads.
CREATE PERFETTO VIEW _thread_state_view AS
SELECT id, ts, dur, utid, cpu, state, io_wait, blocked_function FROM thread_state WHERE dur > 0;

-- What a thread did at a moment of a call.
CREATE PERFETTO FUNCTION _binder_reason(
  -- Name of the innermost slice.
  name STRING,
  -- Scheduling state.
  state STRING,
  -- 1 if the thread waited for I/O.
  io_wait LONG,
  -- Slice of the client.
  binder_txn_id LONG,
  -- Slice of the server.
  binder_reply_id LONG,
  -- Innermost slice.
  flat_id LONG
)
-- What the thread did.
RETURNS STRING AS
SELECT CASE
  WHEN $flat_id IS NOT NULL AND $name IN ('mm_vmscan_direct_reclaim', 'kernel_memory_reclaim')
    THEN 'kernel_memory_reclaim'
  WHEN $name GLOB 'GC: Wait For*' THEN 'userspace_memory_reclaim'
  WHEN $state = 'D' AND $io_wait = 1 THEN 'IO'
  WHEN $name GLOB 'monitor contention*' THEN 'monitor_contention'
  WHEN $name GLOB 'Lock contention*' THEN 'art_lock_contention'
  WHEN $name GLOB 'binder transaction*' AND ($flat_id IS NOT $binder_txn_id)
    AND ($flat_id IS NOT $binder_reply_id) THEN 'binder'
  WHEN $name = 'Contending for pthread mutex' THEN 'mutex_contention'
  ELSE coalesce($state, 'unknown')
END;

-- Pieces of calls cut at each change of the innermost slice and of the state of the thread.
CREATE PERFETTO MACRO _binder_flatten_descendants(
  -- Table with columns id, ts, dur, utid: calls of one side.
  calls TableOrSubquery
)
-- Rows id (of the call), ts, dur, flat_id, name, thread_state_id, state, io_wait.
RETURNS TableOrSubquery AS
(
  SELECT
    i.id_0 AS id, i.ts, i.dur, f.slice_id AS flat_id, f.name, i.id_2 AS thread_state_id, t.state,
    t.io_wait
  FROM _interval_intersect!(
    (
      (SELECT id, ts, dur, utid FROM $calls),
      (SELECT _auto_id AS id, ts, dur, utid FROM _slice_flattened),
      (SELECT id, ts, dur, utid FROM _thread_state_view)
    ),
    (utid)
  ) AS i
  JOIN _slice_flattened AS f ON f._auto_id = i.id_1
  JOIN _thread_state_view AS t ON t.id = i.id_2
);

-- Pieces of the handling by servers.
CREATE PERFETTO TABLE _binder_server_flat_descendants_with_thread_state AS
SELECT * FROM _binder_flatten_descendants!(_binder_server_view);

-- Pieces of the calls of clients.
CREATE PERFETTO TABLE _binder_client_flat_descendants_with_thread_state AS
SELECT * FROM _binder_flatten_descendants!(_binder_client_view);

-- Innermost slices of the handling by servers.
CREATE PERFETTO VIEW _binder_server_flat_descendants AS
SELECT DISTINCT id, flat_id, name FROM _binder_server_flat_descendants_with_thread_state;

-- Innermost slices of the calls of clients.
CREATE PERFETTO VIEW _binder_client_flat_descendants AS
SELECT DISTINCT id, flat_id, name FROM _binder_client_flat_descendants_with_thread_state;

-- Pieces of the calls of clients with what the client did.
CREATE PERFETTO VIEW _binder_client_breakdown_view AS
SELECT
  p.id AS binder_txn_id, c.binder_reply_id, p.ts, p.dur,
  _binder_reason(p.name, p.state, p.io_wait, p.id, c.binder_reply_id, p.flat_id) AS reason
FROM _binder_client_flat_descendants_with_thread_state AS p
JOIN _binder_client_view AS c USING (id);

-- Pieces of the handling by servers with what the server did.
CREATE PERFETTO VIEW _binder_server_breakdown_view AS
SELECT
  s.binder_txn_id, p.id AS binder_reply_id, p.ts, p.dur,
  _binder_reason(p.name, p.state, p.io_wait, s.binder_txn_id, p.id, p.flat_id) AS reason
FROM _binder_server_flat_descendants_with_thread_state AS p
JOIN _binder_server_view AS s USING (id);

-- Handling of synchronous calls, split by what the server did.
CREATE PERFETTO TABLE android_binder_server_breakdown(
  -- Slice of the transaction.
  binder_txn_id JOINID(slice.id),
  -- Slice of the reply.
  binder_reply_id JOINID(slice.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- What the server did.
  reason STRING
) AS
SELECT binder_txn_id, binder_reply_id, ts, dur, reason FROM _binder_server_breakdown_view ORDER BY ts;

-- Synchronous calls, split by what the client did.
CREATE PERFETTO TABLE android_binder_client_breakdown(
  -- Slice of the transaction.
  binder_txn_id JOINID(slice.id),
  -- Slice of the reply.
  binder_reply_id JOINID(slice.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- What the client did.
  reason STRING
) AS
SELECT binder_txn_id, binder_reply_id, ts, dur, reason FROM _binder_client_breakdown_view ORDER BY ts;

CREATE PERFETTO TABLE _binder_client_reason AS
SELECT ts, dur, binder_txn_id, binder_reply_id, reason AS client_reason
FROM android_binder_client_breakdown;

CREATE PERFETTO TABLE _binder_server_reason AS
SELECT ts, dur, binder_txn_id, reason AS server_reason
FROM android_binder_server_breakdown;

CREATE VIRTUAL TABLE _binder_client_server_span
USING SPAN_LEFT_JOIN(
  _binder_client_reason PARTITIONED binder_txn_id, _binder_server_reason PARTITIONED binder_txn_id
);

-- Synchronous calls, split by what client and server did. While the server works, its reason
-- counts.
CREATE PERFETTO TABLE android_binder_client_server_breakdown(
  -- Slice of the transaction.
  binder_txn_id JOINID(slice.id),
  -- Slice of the reply.
  binder_reply_id JOINID(slice.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- What the server did; NULL outside of the handling.
  server_reason STRING,
  -- What the client did.
  client_reason STRING,
  -- The reason that counts.
  reason STRING,
  -- Side that the reason comes from: client or server.
  reason_type STRING
) AS
SELECT
  binder_txn_id, binder_reply_id, ts, dur, server_reason, client_reason,
  coalesce(server_reason, client_reason) AS reason,
  iif(server_reason IS NOT NULL, 'server', 'client') AS reason_type
FROM _binder_client_server_span
ORDER BY ts;
