-- Power states of Mali GPUs.

INCLUDE PERFETTO MODULE counters.intervals;

-- Power states as intervals.
CREATE PERFETTO TABLE android_mali_gpu_power_state(
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- unknown, off, standby or active.
  power_state STRING
) AS
SELECT
  ts, dur,
  CASE cast_int!(value)
    WHEN 1 THEN 'off' WHEN 2 THEN 'standby' WHEN 3 THEN 'active' ELSE 'unknown'
  END AS power_state
FROM counter_leading_intervals!(
  (
    SELECT c.id, c.ts, c.track_id, c.value
    FROM counter AS c
    JOIN counter_track AS t ON t.id = c.track_id
    WHERE t.type = 'mali_gpu_power_state'
  )
)
ORDER BY ts;
