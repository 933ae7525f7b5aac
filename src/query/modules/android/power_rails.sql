-- Energy of power rails.

INCLUDE PERFETTO MODULE counters.intervals;

-- Energy of each power rail between successive samples.
CREATE PERFETTO TABLE android_power_rails_counters(
  -- Counter sample at the start.
  id ID(counter.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Name of the rail.
  power_rail_name STRING,
  -- Name of the rail on the device.
  raw_power_rail_name STRING,
  -- Energy since boot, uWs.
  energy_since_boot DOUBLE,
  -- Energy since boot at the next sample, uWs.
  energy_since_boot_at_end DOUBLE,
  -- Mean power up to the next sample, mW.
  average_power DOUBLE,
  -- Energy up to the next sample, uWs.
  energy_delta DOUBLE,
  -- Track.
  track_id JOINID(track.id),
  -- Energy since boot, uWs.
  value DOUBLE
) AS
SELECT
  i.id, i.ts, i.dur, t.name AS power_rail_name,
  extract_arg(t.source_arg_set_id, 'raw_name') AS raw_power_rail_name,
  i.value AS energy_since_boot, i.next_value AS energy_since_boot_at_end,
  1e6 * (i.next_value - i.value) / i.dur AS average_power,
  i.next_value - i.value AS energy_delta, i.track_id, i.value
FROM counter_leading_intervals!((
  SELECT c.id, c.ts, c.track_id, c.value
  FROM counter AS c
  JOIN counter_track AS t ON c.track_id = t.id
  WHERE t.type = 'power_rails'
)) AS i
JOIN counter_track AS t ON t.id = i.track_id;

-- The power rails.
CREATE PERFETTO TABLE android_power_rails_metadata(
  -- Name of the rail.
  power_rail_name STRING,
  -- Name of the rail on the device.
  raw_power_rail_name STRING,
  -- Name without prefix and unit, for display.
  friendly_name STRING,
  -- Track.
  track_id JOINID(track.id),
  -- Part of the device that the rail feeds.
  subsystem_name STRING,
  -- Machine; NULL for the host.
  machine_id JOINID(machine.id)
) AS
SELECT
  name AS power_rail_name, extract_arg(source_arg_set_id, 'raw_name') AS raw_power_rail_name,
  iif(name GLOB 'power.rails.*', replace(substr(name, 13), '.', ' '), NULL) AS friendly_name,
  id AS track_id, extract_arg(source_arg_set_id, 'subsystem_name') AS subsystem_name, machine_id
FROM counter_track
WHERE type = 'power_rails'
ORDER BY id;
