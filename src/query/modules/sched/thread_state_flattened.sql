-- States of a thread together with the innermost slice at each moment.

INCLUDE PERFETTO MODULE intervals.intersect;
INCLUDE PERFETTO MODULE slices.flat_slices;

-- States of a thread during a slice, cut at each change of the innermost slice.
CREATE PERFETTO FUNCTION _get_flattened_thread_state(
  -- Slice.
  slice_id JOINID(slice.id),
  -- Thread whose states are wanted: mostly the thread of the slice.
  utid JOINID(thread.id)
)
RETURNS TABLE(
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Thread.
  utid JOINID(thread.id),
  -- Depth of the innermost slice.
  depth LONG,
  -- Name of the innermost slice.
  name STRING,
  -- Innermost slice.
  slice_id JOINID(slice.id),
  -- Track.
  track_id JOINID(track.id),
  -- Number of the CPU on its machine.
  cpu LONG,
  -- Scheduling state of the thread.
  state STRING,
  -- 1 if the thread waited for I/O.
  io_wait LONG,
  -- Kernel function in which the thread waited.
  blocked_function STRING,
  -- Thread that woke the thread.
  waker_utid JOINID(thread.id),
  -- 1 if an interrupt woke the thread.
  irq_context LONG
) AS
WITH
  target AS (SELECT ts, dur, track_id FROM slice WHERE id = $slice_id AND dur > 0),
  flat AS (
    SELECT f._auto_id AS id, f.ts, f.dur
    FROM target
    CROSS JOIN _slice_flattened AS f
    WHERE f.track_id = target.track_id
      AND f.ts >= target.ts AND f.ts + f.dur <= target.ts + target.dur
  ),
  spent AS (
    SELECT t.id, t.ts, iif(t.dur = -1, trace_end() - t.ts, t.dur) AS dur
    FROM target
    CROSS JOIN thread_state AS t
    WHERE t.utid = $utid AND t.ts < target.ts + target.dur
  )
SELECT
  piece.ts, piece.dur, t.utid, f.depth, f.name, f.slice_id, f.track_id, t.cpu, t.state, t.io_wait,
  t.blocked_function, t.waker_utid, t.irq_context
FROM _interval_intersect!((flat, spent), ()) AS piece
JOIN _slice_flattened AS f ON f._auto_id = piece.id_0
JOIN thread_state AS t ON t.id = piece.id_1
ORDER BY piece.ts;

-- Time of a thread in each state during a slice, by innermost slice.
CREATE PERFETTO FUNCTION _get_flattened_thread_state_aggregated(
  -- Slice.
  slice_id JOINID(slice.id),
  -- Thread whose states are wanted: mostly the thread of the slice.
  utid JOINID(thread.id)
)
RETURNS TABLE(
  -- Innermost slice.
  slice_id JOINID(slice.id),
  -- Name of the innermost slice.
  slice_name STRING,
  -- Time in state D without I/O, ns.
  uninterruptible_sleep_nonio LONG,
  -- Time in state D for I/O, ns.
  uninterruptible_sleep_io LONG,
  -- Time in state R, ns.
  runnable LONG,
  -- Time in state S, ns.
  sleeping LONG,
  -- Time in state T, ns.
  stopped LONG,
  -- Time in state t, ns.
  traced LONG,
  -- Time in state X, ns.
  exit_dead LONG,
  -- Time in state Z, ns.
  exit_zombie LONG,
  -- Time in state x, ns.
  task_dead LONG,
  -- Time in state K, ns.
  wake_kill LONG,
  -- Time in state W, ns.
  waking LONG,
  -- Time in state P, ns.
  parked LONG,
  -- Time in state N, ns.
  no_load LONG,
  -- Time in state R+, ns.
  runnable_preempted LONG,
  -- Time on a CPU, ns.
  running LONG,
  -- Time in state I, ns.
  idle LONG,
  -- Time in all states, ns.
  dur DURATION,
  -- Depth of the innermost slice.
  depth LONG
) AS
SELECT
  slice_id, name AS slice_name,
  sum(iif(state = 'D' AND coalesce(io_wait, 0) = 0, dur, NULL)) AS uninterruptible_sleep_nonio,
  sum(iif(state = 'D' AND io_wait = 1, dur, NULL)) AS uninterruptible_sleep_io,
  sum(iif(state = 'R', dur, NULL)) AS runnable,
  sum(iif(state = 'S', dur, NULL)) AS sleeping,
  sum(iif(state = 'T', dur, NULL)) AS stopped,
  sum(iif(state = 't', dur, NULL)) AS traced,
  sum(iif(state = 'X', dur, NULL)) AS exit_dead,
  sum(iif(state = 'Z', dur, NULL)) AS exit_zombie,
  sum(iif(state = 'x', dur, NULL)) AS task_dead,
  sum(iif(state = 'K', dur, NULL)) AS wake_kill,
  sum(iif(state = 'W', dur, NULL)) AS waking,
  sum(iif(state = 'P', dur, NULL)) AS parked,
  sum(iif(state = 'N', dur, NULL)) AS no_load,
  sum(iif(state = 'R+', dur, NULL)) AS runnable_preempted,
  sum(iif(state = 'Running', dur, NULL)) AS running,
  sum(iif(state = 'I', dur, NULL)) AS idle,
  sum(dur) AS dur, depth
FROM _get_flattened_thread_state($slice_id, $utid)
GROUP BY slice_id, name, depth;
