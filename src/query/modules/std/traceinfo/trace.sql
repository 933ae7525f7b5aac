-- Properties of trace files.

-- Each trace file with its most wanted metadata.
CREATE PERFETTO TABLE _metadata_by_trace(
  -- Trace file.
  trace_id LONG,
  -- Name of the recording session.
  unique_session_name STRING,
  -- Id of the trace.
  trace_uuid STRING,
  -- Format.
  trace_type STRING,
  -- Size, bytes.
  trace_size_bytes LONG,
  -- What triggered the end of the recording.
  trace_trigger STRING,
  -- Machines of the trace, by kernel name, separated by commas.
  machines STRING
) AS
WITH by_name AS (
  SELECT
    trace_id,
    max(iif(name = 'unique_session_name', str_value, NULL)) AS unique_session_name,
    max(iif(name = 'trace_uuid', str_value, NULL)) AS trace_uuid,
    max(iif(name = 'trace_type', str_value, NULL)) AS trace_type,
    max(iif(name = 'trace_size_bytes', int_value, NULL)) AS trace_size_bytes,
    max(iif(name = 'trace_trigger', str_value, NULL)) AS trace_trigger
  FROM metadata
  WHERE trace_id IS NOT NULL
  GROUP BY trace_id
),
machine_of AS (
  SELECT DISTINCT m.trace_id, m.machine_id, coalesce(machine.sysname, machine.name) AS machine_name
  FROM metadata AS m
  JOIN machine ON machine.id = m.machine_id
  WHERE m.trace_id IS NOT NULL
),
machine_list AS (
  SELECT trace_id, group_concat(machine_name, ',') AS machines FROM machine_of GROUP BY trace_id
)
SELECT
  b.trace_id, b.unique_session_name, b.trace_uuid, b.trace_type, b.trace_size_bytes,
  b.trace_trigger, l.machines
FROM by_name AS b
LEFT JOIN machine_list AS l USING (trace_id)
ORDER BY b.trace_id;
