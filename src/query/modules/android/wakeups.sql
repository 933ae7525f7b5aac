-- Why a device woke up from suspension.

INCLUDE PERFETTO MODULE android.suspend;

-- Wakeups: the ends of suspensions, with the first reason that the kernel logged afterwards.
CREATE PERFETTO TABLE android_wakeups(
  -- Time of the wakeup, ns.
  ts TIMESTAMP,
  -- Time that the device was awake, ns.
  dur DURATION,
  -- Machine.
  machine_id JOINID(machine.id),
  -- Instant or slice that names the reason, if the trace has one.
  slice_id JOINID(slice.id),
  -- Reason as the kernel writes it.
  raw_wakeup STRING
) AS
WITH reason AS MATERIALIZED (
  SELECT s.id, s.ts, s.name
  FROM slice AS s
  JOIN track AS t ON t.id = s.track_id
  WHERE t.name IN ('wakeup_reason', 'Wakeup reason', 'battery_stats.wakeup_reason')
)
SELECT a.ts, a.dur, a.machine_id, reason.id AS slice_id, reason.name AS raw_wakeup
FROM android_suspend_state AS a
LEFT JOIN reason ON reason.id = (
  SELECT r.id FROM reason AS r WHERE r.ts >= a.ts AND r.ts < a.ts + a.dur ORDER BY r.ts LIMIT 1
)
WHERE a.power_state = 'awake'
  AND EXISTS (
    SELECT 1
    FROM android_suspend_state AS before
    WHERE before.power_state = 'suspended' AND before.ts + before.dur = a.ts
      AND before.machine_id IS a.machine_id
  )
ORDER BY a.ts;
