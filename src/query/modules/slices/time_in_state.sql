-- States of the thread during a slice.

INCLUDE PERFETTO MODULE intervals.intersect;
INCLUDE PERFETTO MODULE slices.with_context;

-- Time that the thread of a slice spent in each scheduling state during the slice.
CREATE PERFETTO TABLE thread_slice_time_in_state(
  -- Slice.
  id ID(slice.id),
  -- Name of the slice.
  name STRING,
  -- Thread.
  utid JOINID(thread.id),
  -- Name of the thread.
  thread_name STRING,
  -- Process.
  upid JOINID(process.id),
  -- Name of the process.
  process_name STRING,
  -- Scheduling state of the thread.
  state STRING,
  -- 1 if the thread waited for I/O.
  io_wait BOOL,
  -- Kernel function in which the thread waited.
  blocked_function STRING,
  -- Time in the state, ns.
  dur DURATION
) AS
WITH piece AS (
  SELECT id_0 AS id, id_1 AS thread_state_id, dur
  FROM _interval_intersect!(
    (
      (SELECT id, ts, dur, utid FROM thread_slice WHERE utid > 0 AND dur > 0),
      (SELECT id, ts, dur, utid FROM thread_state WHERE dur > 0)
    ),
    (utid)
  )
),
grouped AS (
  SELECT piece.id, t.state, t.io_wait, t.blocked_function, sum(piece.dur) AS dur
  FROM piece
  JOIN thread_state AS t ON t.id = piece.thread_state_id
  GROUP BY piece.id, t.state, t.io_wait, t.blocked_function
)
SELECT
  s.id, s.name, s.utid, s.thread_name, s.upid, s.process_name, grouped.state, grouped.io_wait,
  grouped.blocked_function, grouped.dur
FROM grouped
JOIN thread_slice AS s USING (id);
