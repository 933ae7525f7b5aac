-- How long the tracing service took to write cloned sessions.

-- Time from one statistic to the end of the flush of each buffer.
CREATE PERFETTO MACRO _clone_flush_latency(
  -- Name of the statistic that holds the start, ns.
  start_name Expr
)
-- Rows buffer_id, duration_ns, machine_id, trace_id.
RETURNS TableOrSubquery AS
(
  SELECT
    done.idx AS buffer_id, done.value - start.value AS duration_ns, done.machine_id, done.trace_id
  FROM stats AS done
  JOIN stats AS start
    ON start.machine_id IS done.machine_id AND start.trace_id IS done.trace_id
  WHERE done.name = 'traced_buf_clone_done_timestamp_ns' AND start.name = $start_name
    AND done.value != 0 AND start.value != 0
);

-- Time from the start of a clone to the end of the flush of each buffer.
CREATE PERFETTO TABLE traced_clone_flush_latency(
  -- Number of the buffer.
  buffer_id LONG,
  -- Time, ns.
  duration_ns LONG,
  -- Machine; NULL for the host.
  machine_id JOINID(machine.id),
  -- Trace file.
  trace_id LONG
) AS
SELECT buffer_id, duration_ns, machine_id, trace_id
FROM _clone_flush_latency!('traced_clone_started_timestamp_ns');

-- Time from the trigger of a clone to the end of the flush of each buffer.
CREATE PERFETTO TABLE traced_trigger_clone_flush_latency(
  -- Number of the buffer.
  buffer_id LONG,
  -- Time, ns.
  duration_ns LONG,
  -- Machine; NULL for the host.
  machine_id JOINID(machine.id),
  -- Trace file.
  trace_id LONG
) AS
SELECT buffer_id, duration_ns, machine_id, trace_id
FROM _clone_flush_latency!('traced_clone_trigger_timestamp_ns');
