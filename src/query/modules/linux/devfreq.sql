-- Frequencies of devices other than CPUs.

INCLUDE PERFETTO MODULE counters.intervals;

-- Intervals of the frequency of every device: id, ts, dur, device, freq.
CREATE PERFETTO TABLE _devfreq_counters AS
SELECT
  i.id, i.ts, i.dur, t.device, cast_int!(i.value) AS freq
FROM counter_leading_intervals!((
  SELECT c.id, c.ts, c.track_id, c.value
  FROM counter AS c
  JOIN counter_track AS t ON c.track_id = t.id
  WHERE t.type IN ('linux_device_frequency', 'clock_frequency')
)) AS i
JOIN (
  SELECT id, extract_arg(dimension_arg_set_id, 'linux_device') AS device FROM counter_track
) AS t ON t.id = i.track_id;

-- Intervals of the frequency of a device.
CREATE PERFETTO FUNCTION _get_devfreq_counters(
  -- Name of the device, such as devfreq_dsu or dsu.
  device_name STRING
)
RETURNS TABLE(
  -- Counter sample at the start.
  id LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Frequency.
  freq LONG
) AS
SELECT id, ts, dur, freq
FROM _devfreq_counters
WHERE device GLOB ('*' || $device_name);

-- Intervals of the frequency of the unit that the CPUs share (Arm DynamIQ Shared Unit).
CREATE PERFETTO TABLE linux_devfreq_dsu_counter(
  -- Counter sample at the start.
  id LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Frequency, kHz.
  dsu_freq LONG
) AS
SELECT id, ts, dur, freq AS dsu_freq
FROM _get_devfreq_counters('devfreq_dsu');
