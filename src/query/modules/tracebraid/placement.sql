-- Where files stand on the timeline, with the names of files, machines and clocks.

-- How each file was placed, for each machine and clock of its events.
CREATE PERFETTO VIEW tracebraid_placement(
  -- Row number.
  id LONG,
  -- Trace file.
  trace_id JOINID(trace_file.id),
  -- Name of the file.
  file_name STRING,
  -- Format of the file.
  trace_type STRING,
  -- Machine.
  machine_id JOINID(machine.id),
  -- Name of the machine.
  machine_name STRING,
  -- Clock of the events; NULL if they are in trace time already.
  clock_id JOINID(clock.id),
  -- Name of the clock.
  clock_name STRING,
  -- How the clock was placed: is_timeline, same_clock, measured, relayed, manifest, rendezvous,
  -- guessed, unplaced, raw or without_time.
  rule STRING,
  -- Clocks from that of the events to trace time.
  path STRING,
  -- Trace time minus reading at the first event, ns.
  offset_start_ns LONG,
  -- Trace time minus reading at the last event, ns.
  offset_end_ns LONG,
  -- Largest error of the placed times, ns; NULL if it is not bounded.
  uncertainty_ns LONG,
  -- Number of events on the timeline.
  placed LONG,
  -- Number of events without a place on the timeline.
  dropped LONG,
  -- Number of placed events before the start of trace time.
  negative LONG,
  -- Time of the earliest event, ns.
  first_ts TIMESTAMP,
  -- Time of the latest event, ns.
  last_ts TIMESTAMP
) AS
SELECT
  p.id, p.trace_id, f.name AS file_name, f.trace_type, p.machine_id, m.name AS machine_name,
  p.clock_id, c.label AS clock_name, p.rule, p.path, p.offset_start_ns, p.offset_end_ns,
  p.uncertainty_ns, p.placed,
  p.dropped_no_path + p.dropped_ambiguous + p.dropped_range AS dropped, p.negative, p.first_ts,
  p.last_ts
FROM placement AS p
LEFT JOIN trace_file AS f ON f.id = p.trace_id
LEFT JOIN machine AS m ON m.id = p.machine_id
LEFT JOIN clock AS c ON c.id = p.clock_id;
