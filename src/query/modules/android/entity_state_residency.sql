-- Time of power entities in their states.

-- Growth of the time of each power entity in each state, between successive samples.
CREATE PERFETTO TABLE android_entity_state_residency(
  -- Counter sample at the start.
  id ID(counter.id),
  -- Time of the sample, ns.
  ts TIMESTAMP,
  -- Time to the next sample, ns; NULL for the last.
  dur DURATION,
  -- Name of the entity.
  entity_name STRING,
  -- Name of the state.
  state_name STRING,
  -- Name of the counter.
  raw_name STRING,
  -- Time in the state since boot, ns.
  state_time_since_boot DURATION,
  -- The same at the next sample, ns.
  state_time_since_boot_at_end DURATION,
  -- Share of the time to the next sample that was spent in the state.
  state_time_ratio DOUBLE,
  -- Track.
  track_id JOINID(track.id)
) AS
SELECT
  c.id, c.ts, lead(c.ts) OVER by_track - c.ts AS dur,
  extract_arg(t.dimension_arg_set_id, 'entity_name') AS entity_name,
  extract_arg(t.dimension_arg_set_id, 'state_name') AS state_name,
  t.name AS raw_name,
  cast_int!(c.value * 1000000) AS state_time_since_boot,
  cast_int!(lead(c.value) OVER by_track * 1000000) AS state_time_since_boot_at_end,
  (lead(c.value) OVER by_track - c.value) * 1e6 / (lead(c.ts) OVER by_track - c.ts)
    AS state_time_ratio,
  c.track_id
FROM counter AS c
JOIN counter_track AS t ON c.track_id = t.id
WHERE t.type = 'entity_state'
WINDOW by_track AS (PARTITION BY c.track_id ORDER BY c.ts);
