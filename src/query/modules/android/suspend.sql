-- Time in which a device was suspended.

-- Slices of suspends; on machines with the short events of the kernel those, else the states of the
-- long events in which the CPUs stand still.
CREATE PERFETTO TABLE _suspend_slice AS
WITH minimal AS (
  SELECT s.ts, s.dur, t.machine_id
  FROM slice AS s
  JOIN track AS t ON s.track_id = t.id
  WHERE t.name = 'Suspend/Resume Minimal'
),
candidate AS (
  SELECT ts, dur, machine_id FROM minimal
  UNION ALL
  SELECT s.ts, s.dur, t.machine_id
  FROM slice AS s
  JOIN track AS t ON s.track_id = t.id
  WHERE t.name = 'Suspend/Resume Latency'
    AND s.name IN ('syscore_resume(0)', 'timekeeping_freeze(0)')
    AND coalesce(t.machine_id, -1) NOT IN (SELECT coalesce(machine_id, -1) FROM minimal)
),
bounded AS (
  SELECT
    ts, dur, machine_id,
    max(ts + dur) OVER (
      PARTITION BY machine_id ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS earlier_end
  FROM candidate
  WHERE dur != -1
)
SELECT ts, dur, machine_id
FROM bounded
WHERE earlier_end IS NULL OR ts >= earlier_end
ORDER BY machine_id, ts;

-- Whether each machine was awake or suspended, without holes.
CREATE PERFETTO TABLE android_suspend_state(
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- awake or suspended.
  power_state STRING,
  -- Machine; NULL for the host.
  machine_id JOINID(machine.id)
) AS
WITH machines AS (
  SELECT id AS machine_id FROM machine
  UNION
  SELECT machine_id FROM _suspend_slice
),
awake AS (
  SELECT
    s.ts + s.dur AS ts,
    lead(s.ts, 1, trace_end()) OVER (PARTITION BY s.machine_id ORDER BY s.ts) AS ts_end,
    s.machine_id
  FROM _suspend_slice AS s
  UNION ALL
  SELECT trace_start(), coalesce(min(s.ts), trace_end()), m.machine_id
  FROM machines AS m
  LEFT JOIN _suspend_slice AS s ON s.machine_id IS m.machine_id
  GROUP BY m.machine_id
)
SELECT ts, ts_end - ts AS dur, 'awake' AS power_state, machine_id
FROM awake
WHERE ts_end > ts
UNION ALL
SELECT ts, dur, 'suspended' AS power_state, machine_id FROM _suspend_slice
ORDER BY ts;

-- Length of an interval without the time in which the first machine was suspended.
CREATE PERFETTO FUNCTION _extract_duration_without_suspend(
  -- Start of the interval, ns.
  ts TIMESTAMP,
  -- Duration of the interval, ns.
  dur DURATION
)
-- Length, ns.
RETURNS LONG AS
SELECT $dur - coalesce(
  (
    SELECT sum(min(ts + dur, $ts + $dur) - max(ts, $ts))
    FROM _suspend_slice
    WHERE ts < $ts + $dur AND ts + dur > $ts
      AND machine_id IS (SELECT min(machine_id) FROM _suspend_slice)
  ),
  0
);
