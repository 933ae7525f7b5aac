-- Wakelocks of the kernel.

INCLUDE PERFETTO MODULE android.suspend;

-- Tracks of wakelocks: id, name, type, machine_id.
CREATE PERFETTO TABLE _kernel_wakelock_track AS
SELECT
  id, name, extract_arg(dimension_arg_set_id, 'wakelock_type') AS type, machine_id
FROM counter_track
WHERE type = 'android_kernel_wakelock'
ORDER BY id;

-- Growth of the time that each wakelock was held, between successive samples.
CREATE PERFETTO TABLE _android_kernel_wakelocks_base AS
SELECT
  c.ts, lead(c.ts) OVER by_track - c.ts AS dur, t.name, t.type,
  cast_int!(lead(c.value) OVER by_track - c.value) AS held_dur
FROM counter AS c
JOIN _kernel_wakelock_track AS t ON c.track_id = t.id
WINDOW by_track AS (PARTITION BY c.track_id ORDER BY c.ts);

-- Time that each wakelock of the kernel was held, between successive samples.
CREATE PERFETTO TABLE android_kernel_wakelocks(
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Time between the samples without suspends, ns.
  awake_dur DURATION,
  -- Name of the wakelock.
  name STRING,
  -- kernel or native.
  type STRING,
  -- Time that the wakelock was held, ns.
  held_dur DURATION,
  -- Percent of awake_dur.
  held_ratio DOUBLE
) AS
WITH period AS (
  SELECT ts, dur, _extract_duration_without_suspend(ts, dur) AS awake_dur
  FROM (SELECT DISTINCT ts, dur FROM _android_kernel_wakelocks_base WHERE dur > 0)
)
SELECT
  b.ts, b.dur, p.awake_dur, b.name, b.type, b.held_dur,
  max(min(b.held_dur * 100.0 / p.awake_dur, 100.0), 0.0) AS held_ratio
FROM _android_kernel_wakelocks_base AS b
JOIN period AS p USING (ts, dur)
WHERE b.held_dur >= 0
ORDER BY b.ts;
