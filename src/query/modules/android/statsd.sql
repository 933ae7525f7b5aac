-- Atoms of statsd.

-- Atoms that statsd passed to the trace.
CREATE PERFETTO VIEW android_statsd_atoms(
  -- Slice.
  id LONG,
  -- Time, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Track.
  track_id JOINID(track.id),
  -- Name of the atom.
  name STRING,
  -- Fields of the atom.
  arg_set_id ARGSETID
) AS
SELECT s.id, s.ts, s.dur, s.track_id, s.name, s.arg_set_id
FROM slice AS s
JOIN track AS t ON t.id = s.track_id
WHERE t.type = 'statsd_atoms';
