-- DMA buffers and the processes that they were allocated for.

INCLUDE PERFETTO MODULE android.binder;
INCLUDE PERFETTO MODULE slices.with_context;

-- Allocations (positive) and releases (negative) of DMA buffers: id, ts, inode, buf_size, utid.
CREATE PERFETTO TABLE _raw_dmabuf_events AS
SELECT
  c.id, c.ts, extract_arg(c.arg_set_id, 'inode') AS inode, cast_int!(c.value) AS buf_size, t.utid
FROM thread_counter_track AS t
JOIN counter AS c ON c.track_id = t.id
WHERE t.name = 'mem.dma_heap_change' AND c.value != 0;

-- Calls of the allocator of graphic buffers: id, ts, dur, server_utid, client_utid.
CREATE PERFETTO TABLE _gralloc_binders AS
SELECT
  binder_reply_id AS id, server_ts AS ts, server_dur AS dur, server_utid, client_utid
FROM android_binder_txns
WHERE is_sync AND aidl_name GLOB '*allocator*'
  OR (is_sync AND server_process GLOB '*allocator*');

-- DMA buffer events with the thread that asked for the buffer.
CREATE PERFETTO TABLE _attributed_dmabufs AS
WITH inside AS (
  SELECT e.id, min(g.client_utid) AS client_utid
  FROM _raw_dmabuf_events AS e
  JOIN _gralloc_binders AS g
    ON g.server_utid = e.utid AND e.ts >= g.ts AND e.ts <= g.ts + g.dur
  WHERE e.buf_size > 0
  GROUP BY e.id
),
allocated AS (
  SELECT
    e.id, e.ts, e.inode, e.buf_size, coalesce(inside.client_utid, e.utid) AS utid
  FROM _raw_dmabuf_events AS e
  LEFT JOIN inside ON inside.id = e.id
)
-- A release belongs to the thread that the last allocation of the same buffer belongs to.
SELECT
  id, ts, inode, buf_size,
  iif(
    buf_size > 0,
    utid,
    coalesce(
      last_non_null(iif(buf_size > 0, utid, NULL)) OVER (
        PARTITION BY inode ORDER BY ts, id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      ),
      utid
    )
  ) AS utid
FROM allocated;

-- Thread that a DMA buffer belongs to.
CREATE PERFETTO FUNCTION _alloc_source(
  -- 1 for an allocation.
  is_alloc BOOL,
  -- Inode of the buffer.
  inode LONG,
  -- Time, ns.
  ts TIMESTAMP
)
-- Thread of the last allocation of the buffer.
RETURNS LONG AS
SELECT utid
FROM _attributed_dmabufs
WHERE inode = $inode AND ts <= $ts AND (buf_size > 0) >= $is_alloc
ORDER BY ts DESC
LIMIT 1;

-- Allocations and releases of DMA buffers, by the thread that asked for the buffer.
CREATE PERFETTO TABLE android_dmabuf_allocs(
  -- Time, ns.
  ts TIMESTAMP,
  -- Size, bytes; negative for a release.
  buf_size LONG,
  -- Inode of the buffer.
  inode LONG,
  -- Thread.
  utid JOINID(thread.id),
  -- Thread number of the operating system.
  tid LONG,
  -- Name of the thread.
  thread_name STRING,
  -- Process.
  upid JOINID(process.id),
  -- Process number of the operating system.
  pid LONG,
  -- Name of the process.
  process_name STRING
) AS
SELECT
  a.ts, a.buf_size, a.inode, a.utid, t.tid, t.name AS thread_name, t.upid, p.pid,
  p.name AS process_name
FROM _attributed_dmabufs AS a
JOIN thread AS t USING (utid)
LEFT JOIN process AS p USING (upid)
ORDER BY a.ts;

-- DMA buffers of each process over time.
CREATE PERFETTO TABLE android_memory_cumulative_dmabuf(
  -- Process.
  upid JOINID(process.id),
  -- Name of the process.
  process_name STRING,
  -- Thread.
  utid JOINID(thread.id),
  -- Name of the thread.
  thread_name STRING,
  -- Time, ns.
  ts TIMESTAMP,
  -- Size of all buffers of the process, bytes.
  value LONG
) AS
SELECT
  upid, process_name, utid, thread_name, ts,
  sum(buf_size) OVER (
    PARTITION BY coalesce(upid, utid) ORDER BY ts
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS value
FROM android_dmabuf_allocs;
