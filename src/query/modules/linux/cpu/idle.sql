-- Idle states of CPUs.

INCLUDE PERFETTO MODULE counters.intervals;

-- Intervals in which a CPU was in one idle state.
CREATE PERFETTO TABLE cpu_idle_counters(
  -- Counter sample at the start.
  id LONG,
  -- Track.
  track_id JOINID(track.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Idle state, from 0; -1 while the CPU was not idle.
  idle LONG,
  -- Number of the CPU on its machine.
  cpu LONG
) AS
SELECT
  i.id, i.track_id, i.ts, i.dur,
  iif(i.value = 4294967295, -1, cast_int!(i.value)) AS idle,
  t.cpu
FROM counter_leading_intervals!((
  SELECT c.id, c.ts, c.track_id, c.value
  FROM counter AS c
  JOIN cpu_counter_track AS t ON c.track_id = t.id
  WHERE t.name = 'cpuidle'
)) AS i
JOIN cpu_counter_track AS t ON i.track_id = t.id;
