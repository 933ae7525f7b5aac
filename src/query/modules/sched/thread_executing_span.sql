-- Critical paths of threads: which thread a sleeping thread waited for.
--
-- A span is the time from a wakeup of a thread to its next sleep. The thread that woke it was
-- inside a span of its own at that time. While a thread sleeps, its critical path follows the chain
-- of these spans backwards from the wakeup: the waker's span up to the wakeup, before it the span of
-- the waker's waker, and so on until the moment at which the thread fell asleep.

-- 1 if the thread waits for a CPU or runs.
CREATE PERFETTO MACRO _is_runnable_state(
  -- State of thread_state.
  state Expr
)
-- Expression that is 1 or 0.
RETURNS Expr AS
($state IN ('R', 'R+', 'Running'));

-- 1 if the trace is of Fuchsia, whose scheduler records name the waker in another way.
CREATE PERFETTO TABLE _is_fuchsia AS
SELECT EXISTS(SELECT 1 FROM machine WHERE sysname = 'Fuchsia') AS is_fuchsia;

-- States of threads in which they run or wait for a CPU: id, ts, dur, utid, state, waker_id,
-- waker_utid, and is_first, which is 1 if the thread slept before.
CREATE PERFETTO TABLE _runnable_state AS
WITH neighbour AS (
  SELECT
    id, ts, iif(dur = -1, trace_end() - ts, dur) AS dur, utid, state, waker_id, waker_utid,
    irq_context,
    lag(_is_runnable_state!(state)) OVER (PARTITION BY utid ORDER BY id) AS was_runnable
  FROM thread_state
)
SELECT
  id, ts, dur, utid, state, waker_id, waker_utid, irq_context,
  NOT coalesce(was_runnable, 0) AS is_first
FROM neighbour
WHERE _is_runnable_state!(state)
ORDER BY id;

-- First runnable state of each span.
CREATE PERFETTO TABLE _first_runnable_state AS
SELECT id, ts, utid, state, waker_id, waker_utid, irq_context
FROM _runnable_state
WHERE is_first
ORDER BY id;

-- States of threads in which they sleep.
CREATE PERFETTO TABLE _sleep_state AS
SELECT id, ts, iif(dur = -1, trace_end() - ts, dur) AS dur, utid, state, blocked_function
FROM thread_state
WHERE NOT _is_runnable_state!(state)
ORDER BY id;

-- End of the last known state of each thread.
CREATE PERFETTO TABLE _thread_end_ts AS
SELECT utid, max(iif(dur = -1, trace_end(), ts + dur)) AS end_ts
FROM thread_state
GROUP BY utid;

-- First sleep after a span: the sleeps whose predecessor is a runnable state.
CREATE PERFETTO TABLE _first_sleep_state AS
WITH neighbour AS (
  SELECT
    id, ts, utid, state,
    _is_runnable_state!(state) AS is_runnable,
    lag(_is_runnable_state!(state)) OVER (PARTITION BY utid ORDER BY id) AS was_runnable
  FROM thread_state
)
SELECT id, ts, utid, state
FROM neighbour
WHERE NOT is_runnable AND coalesce(was_runnable, 1)
ORDER BY id;

-- Each runnable state with the first state of its span.
CREATE PERFETTO TABLE _wakeup_map AS
SELECT
  id,
  max(iif(is_first, id, NULL)) OVER (
    PARTITION BY utid ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS span_id
FROM _runnable_state
ORDER BY id;

-- Spans with their waker: id (first state), ts, utid, waker_id (state of the waker; NULL if an
-- interrupt or nobody known woke the thread).
CREATE PERFETTO TABLE _wakeup AS
SELECT id, ts, utid, iif(irq_context = 1, NULL, waker_id) AS waker_id
FROM _first_runnable_state
ORDER BY id;

-- The graph of wakeups. id: span; ts, dur: its time; utid: its thread; idle_dur: how long the thread
-- slept before (NULL if not known); waker_id: span of the waker; prev_id: span of the thread before.
CREATE PERFETTO TABLE _wakeup_graph AS
WITH span AS (
  SELECT m.span_id AS id, min(r.ts) AS ts, max(r.ts + r.dur) AS end_ts, r.utid
  FROM _wakeup_map AS m
  JOIN _runnable_state AS r USING (id)
  GROUP BY m.span_id
),
chained AS (
  SELECT
    id, ts, end_ts, utid,
    lag(id) OVER by_thread AS prev_id,
    lag(end_ts) OVER by_thread AS prev_end_ts
  FROM span
  WINDOW by_thread AS (PARTITION BY utid ORDER BY id)
)
SELECT
  c.id, c.ts, c.end_ts - c.ts AS dur, c.utid, c.ts - c.prev_end_ts AS idle_dur,
  m.span_id AS waker_id, c.prev_id
FROM chained AS c
LEFT JOIN _wakeup AS w USING (id)
LEFT JOIN _wakeup_map AS m ON m.id = w.waker_id
ORDER BY c.id;

-- Spans that overlap the intervals of a table (utid, ts, dur), and the sleeps before them.
CREATE PERFETTO MACRO _intervals_to_roots(
  -- Table with columns utid, ts, dur.
  _source_table TableOrSubquery,
  -- Graph of wakeups, as _wakeup_graph.
  _node_table TableOrSubquery
)
-- Rows id: spans.
RETURNS TableOrSubquery AS
(
  SELECT DISTINCT _node.id
  FROM $_source_table AS _source
  JOIN $_node_table AS _node
    ON _node.utid = _source.utid
    AND _node.ts - coalesce(_node.idle_dur, 0) < _source.ts + _source.dur
    AND _node.ts + _node.dur > _source.ts
);

-- Critical paths of spans, with the length of the chain of wakeups.
CREATE PERFETTO MACRO _critical_path_with_depth_by_roots(
  -- Table with column id: spans.
  _roots_table TableOrSubquery,
  -- Graph of wakeups, as _wakeup_graph.
  _node_table TableOrSubquery
)
-- Rows root_id, root_utid, id, ts, dur, utid, depth: the pieces of each path; depth is 0 for the
-- thread itself.
RETURNS TableOrSubquery AS
(
  SELECT
    c0 AS root_id, c1 AS root_utid, c2 AS id, c3 AS ts, c4 AS dur, c5 AS utid, c6 AS depth
  FROM __intrinsic_table_columns(
    __intrinsic_critical_path(
      (
        SELECT __intrinsic_wakeup_spans_agg(id, ts, dur, utid, idle_dur, waker_id)
        FROM $_node_table
      ),
      (SELECT __intrinsic_array_agg(id) FROM $_roots_table)
    )
  )
);

-- Critical paths of spans.
CREATE PERFETTO MACRO _critical_path_by_roots(
  -- Table with column id: spans.
  _roots_table TableOrSubquery,
  -- Graph of wakeups, as _wakeup_graph.
  _node_table TableOrSubquery
)
-- Rows root_id, root_utid, id, ts, dur, utid.
RETURNS TableOrSubquery AS
(
  SELECT root_id, root_utid, id, ts, dur, utid
  FROM _critical_path_with_depth_by_roots!($_roots_table, $_node_table)
);

-- Critical paths of threads during intervals, cut to the intervals.
CREATE PERFETTO MACRO _critical_path_by_intervals(
  -- Table with columns utid, ts, dur; intervals of one thread do not overlap.
  _intervals_table TableOrSubquery,
  -- Graph of wakeups, as _wakeup_graph.
  _node_table TableOrSubquery
)
-- Rows root_id, root_utid, id, ts, dur, utid.
RETURNS TableOrSubquery AS
(
  SELECT
    p.root_id, p.root_utid, p.id, max(p.ts, i.ts) AS ts,
    min(p.ts + p.dur, i.ts + i.dur) - max(p.ts, i.ts) AS dur, p.utid
  FROM _critical_path_by_roots!(
    _intervals_to_roots!($_intervals_table, $_node_table), $_node_table
  ) AS p
  JOIN $_intervals_table AS i
    ON i.utid = p.root_utid AND p.ts < i.ts + i.dur AND p.ts + p.dur > i.ts
);

-- The critical path of a thread during an interval.
CREATE PERFETTO FUNCTION _thread_executing_span_critical_path(
  -- Thread.
  root_utid JOINID(thread.id),
  -- Start of the interval, ns.
  ts TIMESTAMP,
  -- Duration of the interval, ns.
  dur DURATION
)
RETURNS TABLE(
  -- The thread.
  root_utid JOINID(thread.id),
  -- Span of the thread that the piece belongs to.
  root_id LONG,
  -- Span that the thread waited for, or its own.
  id LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Thread of that span.
  utid JOINID(thread.id)
) AS
SELECT root_utid, root_id, id, ts, dur, utid
FROM _critical_path_by_intervals!(
  (SELECT $root_utid AS utid, $ts AS ts, $dur AS dur), _wakeup_graph
)
ORDER BY ts;
