-- Whether the screen was on.

INCLUDE PERFETTO MODULE counters.intervals;

-- Intervals of the state of the screen; one row of the whole trace if it was never read.
CREATE PERFETTO TABLE android_screen_state(
  -- Number of the interval.
  id ID,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- on, off or unknown: dozing counts as off.
  simple_screen_state STRING,
  -- on, off, doze or unknown.
  short_screen_state STRING,
  -- Screen on, Screen off, Always-on display (doze) or unknown.
  screen_state STRING
) AS
WITH screen AS (
  SELECT i.ts, i.dur, i.value
  FROM counter_leading_intervals!((
    SELECT c.id, c.ts, 0 AS track_id, c.value
    FROM counter AS c
    JOIN counter_track AS t ON c.track_id = t.id
    WHERE t.name = 'ScreenState'
    ORDER BY c.ts
  )) AS i
  WHERE i.dur > 0
),
named AS (
  SELECT
    ts, dur,
    CASE value WHEN 1 THEN 'off' WHEN 2 THEN 'on' WHEN 3 THEN 'off' WHEN 4 THEN 'off'
      ELSE 'unknown' END AS simple_screen_state,
    CASE value WHEN 1 THEN 'off' WHEN 2 THEN 'on' WHEN 3 THEN 'doze' WHEN 4 THEN 'doze'
      ELSE 'unknown' END AS short_screen_state,
    CASE value WHEN 1 THEN 'Screen off' WHEN 2 THEN 'Screen on'
      WHEN 3 THEN 'Always-on display (doze)' WHEN 4 THEN 'Always-on display (doze)'
      ELSE 'unknown' END AS screen_state
  FROM screen
  UNION ALL
  SELECT
    trace_start(), (SELECT min(ts) FROM screen) - trace_start(), 'unknown', 'unknown', 'unknown'
  WHERE (SELECT min(ts) FROM screen) > trace_start()
  UNION ALL
  SELECT trace_start(), trace_dur(), 'unknown', 'unknown', 'unknown'
  WHERE NOT EXISTS(SELECT 1 FROM screen)
)
SELECT
  row_number() OVER (ORDER BY ts) AS id, ts, dur, simple_screen_state, short_screen_state,
  screen_state
FROM named
ORDER BY ts;
