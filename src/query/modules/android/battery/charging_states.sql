-- Whether the battery was charged.

INCLUDE PERFETTO MODULE counters.intervals;

-- Intervals of the state of charging; one row of the whole trace if it was never read.
CREATE PERFETTO TABLE android_charging_states(
  -- Number of the interval.
  id LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Charging, Discharging or Unknown.
  short_charging_state STRING,
  -- Charging, Discharging, Not charging, Full or Unknown.
  charging_state STRING
) AS
WITH charge AS (
  SELECT i.ts, i.dur, i.value
  FROM counter_leading_intervals!((
    SELECT c.id, c.ts, c.track_id, c.value
    FROM counter AS c
    JOIN counter_track AS t ON c.track_id = t.id
    WHERE t.name = 'BatteryStatus'
  )) AS i
  WHERE i.dur > 0
),
named AS (
  SELECT
    ts, dur,
    CASE value WHEN 2 THEN 'Charging' WHEN 5 THEN 'Charging' WHEN 3 THEN 'Discharging'
      WHEN 4 THEN 'Discharging' ELSE 'Unknown' END AS short_charging_state,
    CASE value WHEN 2 THEN 'Charging' WHEN 3 THEN 'Discharging' WHEN 4 THEN 'Not charging'
      WHEN 5 THEN 'Full' ELSE 'Unknown' END AS charging_state
  FROM charge
  UNION ALL
  SELECT trace_start(), (SELECT min(ts) FROM charge) - trace_start(), 'Unknown', 'Unknown'
  WHERE (SELECT min(ts) FROM charge) > trace_start()
  UNION ALL
  SELECT trace_start(), trace_dur(), 'Unknown', 'Unknown'
  WHERE NOT EXISTS(SELECT 1 FROM charge)
)
SELECT
  row_number() OVER (ORDER BY ts) AS id, ts, dur, short_charging_state, charging_state
FROM named
ORDER BY ts;
