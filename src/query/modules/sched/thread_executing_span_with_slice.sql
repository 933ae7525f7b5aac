-- Critical paths of threads together with the states and slices of the threads on them.

INCLUDE PERFETTO MODULE intervals.intersect;
INCLUDE PERFETTO MODULE sched.states;
INCLUDE PERFETTO MODULE sched.thread_executing_span;
INCLUDE PERFETTO MODULE slices.with_context;

-- States of threads as intervals: id, ts, dur, utid, state, io_wait, blocked_function, cpu.
CREATE PERFETTO VIEW _span_thread_state_view AS
SELECT
  id, ts, iif(dur = -1, trace_end() - ts, dur) AS dur, utid, state, io_wait, blocked_function, cpu
FROM thread_state;

-- Slices of threads as intervals: id, ts, dur, utid, depth, name.
CREATE PERFETTO VIEW _span_thread_slice_view AS
SELECT id, ts, iif(dur = -1, trace_end() - ts, dur) AS dur, utid, depth, name
FROM thread_slice
WHERE dur != 0;

-- Pieces of critical paths with the state of the thread on the path.
CREATE PERFETTO MACRO _critical_path_thread_state(
  -- Rows of _critical_path_by_roots or _critical_path_by_intervals.
  critical_path TableOrSubquery
)
-- Rows: root_id, root_utid, id (span), ts, dur, utid, thread_state_id.
RETURNS TableOrSubquery AS
(
  WITH _cp AS MATERIALIZED (
    SELECT row_number() OVER () AS piece, * FROM $critical_path WHERE dur > 0
  )
  SELECT c.root_id, c.root_utid, c.id, i.ts, i.dur, c.utid, i.id_1 AS thread_state_id
  FROM _interval_intersect!(
    (
      (SELECT piece AS id, ts, dur, utid FROM _cp),
      (SELECT id, ts, dur, utid FROM _span_thread_state_view WHERE dur > 0)
    ),
    (utid)
  ) AS i
  JOIN _cp AS c ON c.piece = i.id_0
);

-- Layers of the stack of a critical path: ts, dur, layer (order from the top), utid, name, id and
-- table_name (the row that the layer comes from).
CREATE PERFETTO FUNCTION _critical_path_layers(
  -- Thread.
  root_utid JOINID(thread.id),
  -- Start of the interval, ns.
  ts TIMESTAMP,
  -- Duration of the interval, ns.
  dur DURATION
)
RETURNS TABLE(
  -- Kind of layer: 0 to 5 of the thread itself, 6 to 9 of the thread that it waits for.
  kind LONG,
  -- Order in a kind.
  layer LONG,
  -- Row.
  id LONG,
  -- Table of the row.
  table_name STRING,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Thread.
  utid JOINID(thread.id),
  -- Text of the layer.
  name STRING
) AS
WITH
  path AS MATERIALIZED (
    SELECT row_number() OVER (ORDER BY ts) AS piece, id, ts, dur, utid
    FROM _thread_executing_span_critical_path($root_utid, $ts, $dur)
    WHERE dur > 0
  ),
  other AS MATERIALIZED (SELECT * FROM path WHERE utid != $root_utid),
  own_state AS MATERIALIZED (
    SELECT s.*, i.ts AS cut_ts, i.dur AS cut_dur
    FROM _interval_intersect_single!(
      $ts, $dur, (SELECT id, ts, dur FROM _span_thread_state_view WHERE utid = $root_utid)
    ) AS i
    JOIN _span_thread_state_view AS s USING (id)
  ),
  other_state AS MATERIALIZED (
    SELECT s.*, i.ts AS cut_ts, i.dur AS cut_dur
    FROM _interval_intersect!(
      (
        (SELECT piece AS id, ts, dur, utid FROM other),
        (SELECT id, ts, dur, utid FROM _span_thread_state_view WHERE dur > 0)
      ),
      (utid)
    ) AS i
    JOIN _span_thread_state_view AS s ON s.id = i.id_1
  )
SELECT
  0 AS kind, 0 AS layer, id, 'thread_state' AS table_name, cut_ts AS ts, cut_dur AS dur, utid,
  'thread_state: ' || sched_state_io_to_human_readable_string(state, io_wait) AS name
FROM own_state
UNION ALL
SELECT 1, 0, id, 'thread_state', cut_ts, cut_dur, utid, 'kernel function: ' || blocked_function
FROM own_state
WHERE blocked_function IS NOT NULL
UNION ALL
SELECT 2, 0, id, 'thread_state', cut_ts, cut_dur, utid, 'cpu: ' || cpu
FROM own_state
WHERE cpu IS NOT NULL AND state = 'Running'
UNION ALL
SELECT 3, 0, p.id, 'process', $ts, $dur, $root_utid, 'process_name: ' || p.name
FROM thread AS t
JOIN process AS p USING (upid)
WHERE t.utid = $root_utid AND p.name IS NOT NULL
UNION ALL
SELECT 4, 0, t.id, 'thread', $ts, $dur, t.utid, 'thread_name: ' || t.name
FROM thread AS t
WHERE t.utid = $root_utid AND t.name IS NOT NULL
UNION ALL
SELECT 5, s.depth, s.id, 'slice', i.ts, i.dur, s.utid, s.name
FROM _interval_intersect_single!(
  $ts, $dur, (SELECT id, ts, dur FROM _span_thread_slice_view WHERE utid = $root_utid)
) AS i
JOIN _span_thread_slice_view AS s USING (id)
WHERE s.name IS NOT NULL
UNION ALL
SELECT 6, 0, p.id, 'process', o.ts, o.dur, o.utid, 'blocking process_name: ' || p.name
FROM other AS o
JOIN thread AS t USING (utid)
JOIN process AS p USING (upid)
WHERE p.name IS NOT NULL
UNION ALL
SELECT 7, 0, t.id, 'thread', o.ts, o.dur, o.utid, 'blocking thread_name: ' || t.name
FROM other AS o
JOIN thread AS t USING (utid)
WHERE t.name IS NOT NULL
UNION ALL
SELECT
  8, 0, id, 'thread_state', cut_ts, cut_dur, utid,
  'blocking thread_state: ' || sched_state_io_to_human_readable_string(state, io_wait)
FROM other_state
UNION ALL
SELECT 9, s.depth, s.id, 'slice', i.ts, i.dur, s.utid, s.name
FROM _interval_intersect!(
  (
    (SELECT piece AS id, ts, dur, utid FROM other),
    (SELECT id, ts, dur, utid FROM _span_thread_slice_view WHERE dur > 0)
  ),
  (utid)
) AS i
JOIN _span_thread_slice_view AS s ON s.id = i.id_1
WHERE s.name IS NOT NULL;

-- The critical path of a thread as a stack at each moment: its state, names and slices, below them
-- those of the thread that it waits for.
CREATE PERFETTO FUNCTION _thread_executing_span_critical_path_stack(
  -- Thread.
  root_utid JOINID(thread.id),
  -- Start of the interval, ns.
  ts TIMESTAMP,
  -- Duration of the interval, ns.
  dur DURATION,
  -- 1: with the names of processes.
  enable_process_name LONG,
  -- 1: with the names of threads.
  enable_thread_name LONG,
  -- 1: with the slices of the thread itself.
  enable_self_slice LONG,
  -- 1: with the slices of the threads that it waits for.
  enable_critical_path_slice LONG
)
RETURNS TABLE(
  -- Row of table_name.
  id LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Thread that the entry belongs to.
  utid JOINID(thread.id),
  -- Position in the stack, from 0.
  stack_depth LONG,
  -- Text.
  name STRING,
  -- Table that the entry comes from.
  table_name STRING,
  -- The thread.
  root_utid JOINID(thread.id)
) AS
WITH
  layer AS MATERIALIZED (
    SELECT row_number() OVER () AS number, *
    FROM _critical_path_layers($root_utid, $ts, $dur)
    WHERE dur > 0
      AND (kind NOT IN (3, 6) OR $enable_process_name)
      AND (kind NOT IN (4, 7) OR $enable_thread_name)
      AND (kind != 5 OR $enable_self_slice)
      AND (kind != 9 OR $enable_critical_path_slice)
  )
SELECT
  layer.id, segment.ts, segment.dur, layer.utid,
  row_number() OVER (
    PARTITION BY segment.group_id ORDER BY layer.kind, layer.layer, layer.number
  ) - 1 AS stack_depth,
  layer.name, layer.table_name, $root_utid AS root_utid
FROM interval_self_intersect!((SELECT number AS id, ts, dur FROM layer)) AS segment
JOIN layer ON layer.number = segment.id
WHERE NOT segment.interval_ends_at_ts
ORDER BY segment.ts, stack_depth;
