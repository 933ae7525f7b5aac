-- Frequencies of CPUs.

INCLUDE PERFETTO MODULE counters.intervals;

-- Intervals in which a CPU had one frequency, as far as samples tell. CPUs without a row in cpu are
-- not listed.
CREATE PERFETTO TABLE cpu_frequency_counters(
  -- Counter sample at the start.
  id LONG,
  -- Track.
  track_id JOINID(track.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Frequency, kHz.
  freq LONG,
  -- CPU.
  ucpu LONG,
  -- Number of the CPU on its machine.
  cpu LONG
) AS
SELECT
  i.id, i.track_id, i.ts, i.dur, cast_int!(i.value) AS freq, cpu.ucpu, t.cpu
FROM counter_leading_intervals!((
  SELECT c.id, c.ts, c.track_id, c.value
  FROM counter AS c
  JOIN cpu_counter_track AS t ON c.track_id = t.id
  WHERE t.name = 'cpufreq'
)) AS i
JOIN cpu_counter_track AS t ON i.track_id = t.id
JOIN cpu ON cpu.cpu = t.cpu AND cpu.machine_id IS t.machine_id;
