-- Doze: the idle states of the device.

INCLUDE PERFETTO MODULE counters.intervals;

-- Intervals of a counter of the battery statistics, with the time before its first sample as value
-- NULL.
CREATE PERFETTO MACRO _doze_intervals(
  -- Name of the counter.
  counter_name Expr
)
-- Rows ts, dur, value.
RETURNS TableOrSubquery AS
(
  SELECT i.ts, i.dur, i.value
  FROM counter_leading_intervals!((
    SELECT c.id, c.ts, c.track_id, c.value
    FROM counter AS c
    JOIN counter_track AS t ON c.track_id = t.id
    WHERE t.name = $counter_name
  )) AS i
  WHERE i.dur > 0
  UNION ALL
  SELECT trace_start(), coalesce(min(c.ts), trace_end()) - trace_start(), NULL
  FROM counter AS c
  JOIN counter_track AS t ON c.track_id = t.id
  WHERE t.name = $counter_name
  HAVING coalesce(min(c.ts), trace_end()) > trace_start()
);

-- Intervals of light doze.
CREATE PERFETTO TABLE android_light_idle_state(
  -- Number of the interval.
  id LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- State; unknown before the first sample.
  light_idle_state STRING
) AS
SELECT
  row_number() OVER (ORDER BY ts) AS id, ts, dur,
  CASE cast_int!(value) WHEN 0 THEN 'active' WHEN 1 THEN 'inactive' WHEN 4 THEN 'idle'
    WHEN 5 THEN 'waiting_for_network' WHEN 6 THEN 'idle_maintenance' WHEN 7 THEN 'override'
    ELSE iif(value IS NULL, 'unknown', 'unmapped') END AS light_idle_state
FROM _doze_intervals!('DozeLightState')
ORDER BY ts;

-- Intervals of deep doze.
CREATE PERFETTO TABLE android_deep_idle_state(
  -- Number of the interval.
  id LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- State; unknown before the first sample.
  deep_idle_state STRING
) AS
SELECT
  row_number() OVER (ORDER BY ts) AS id, ts, dur,
  CASE cast_int!(value) WHEN 0 THEN 'active' WHEN 1 THEN 'inactive' WHEN 2 THEN 'idle_pending'
    WHEN 3 THEN 'sensing' WHEN 4 THEN 'locating' WHEN 5 THEN 'idle' WHEN 6 THEN 'idle_maintenance'
    WHEN 7 THEN 'quick_doze_delay' ELSE iif(value IS NULL, 'unknown', 'unmapped') END
    AS deep_idle_state
FROM _doze_intervals!('DozeDeepState')
ORDER BY ts;
