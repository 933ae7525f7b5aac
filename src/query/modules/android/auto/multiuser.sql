-- Switches of users on devices for cars.

INCLUDE PERFETTO MODULE android.suspend;
INCLUDE PERFETTO MODULE linux.memory.process;
INCLUDE PERFETTO MODULE slices.with_context;

-- Switches of users: from the start of the switch to each event that ends it.
CREATE PERFETTO TABLE android_auto_multiuser_timing(
  -- User that is switched to.
  event_start_user_id STRING,
  -- Start, ns.
  event_start_time LONG,
  -- End, ns.
  event_end_time LONG,
  -- Event that ends the switch.
  event_end_name STRING,
  -- Event that starts the switch.
  event_start_name STRING,
  -- Time between the two, ns.
  duration LONG
) AS
WITH start AS (
  SELECT
    ts AS event_start_time, name AS event_start_name,
    regexp_extract(name, 'UserController\.startUser-([0-9]+)') AS event_start_user_id,
    lead(ts, 1, trace_end()) OVER (ORDER BY ts) AS next_ts
  FROM slice
  WHERE name GLOB '*UserController.startUser-[0-9]*' AND name NOT GLOB '*UserController.startUser-10*'
    OR name GLOB 'UserController.startUser-10-fg-start-mode-1'
),
finish AS (
  SELECT ts + max(dur, 0) AS event_end_time, name AS event_end_name
  FROM slice
  WHERE name GLOB 'finishUserStopped-10*' OR name GLOB 'launching: *'
    OR name GLOB 'launchingActivity#*:completed*' OR name GLOB 'HIDL::ISurfaceComposer*bootFinished*'
)
SELECT
  s.event_start_user_id, s.event_start_time, f.event_end_time, f.event_end_name,
  s.event_start_name, f.event_end_time - s.event_start_time AS duration
FROM start AS s
JOIN finish AS f ON f.event_end_time >= s.event_start_time AND f.event_end_time < s.next_ts;

-- Time on a CPU of the processes of user 10.
CREATE PERFETTO VIEW _android_auto_user_10_total_cpu_time AS
SELECT p.android_user_id AS user_id, sum(s.dur) AS total_cpu_time
FROM sched AS s
JOIN thread AS t USING (utid)
JOIN process AS p USING (upid)
WHERE s.dur > 0 AND p.android_user_id = 10;

-- Largest resident memory of the processes of user 10.
CREATE PERFETTO VIEW _android_auto_user_10_total_memory AS
SELECT 10 AS user_id, sum(peak) / 1024 AS total_memory_usage_kb
FROM (
  SELECT m.upid, max(m.rss) AS peak
  FROM memory_rss_and_swap_per_process AS m
  JOIN process AS p USING (upid)
  WHERE p.android_user_id = 10
  GROUP BY m.upid
);

-- Switches of users with what user 10, who was there before, used.
CREATE PERFETTO VIEW android_auto_multiuser_timing_with_previous_user_resource_usage(
  -- User that is switched to.
  event_start_user_id STRING,
  -- Start, ns.
  event_start_time LONG,
  -- End, ns.
  event_end_time LONG,
  -- Event that ends the switch.
  event_end_name STRING,
  -- Event that starts the switch.
  event_start_name STRING,
  -- Time between the two, ns.
  duration LONG,
  -- User before the switch.
  user_id LONG,
  -- Time on a CPU of that user's processes, ns.
  total_cpu_time LONG,
  -- Largest resident memory of that user's processes, KiB.
  total_memory_usage_kb LONG
) AS
SELECT
  t.event_start_user_id, t.event_start_time, t.event_end_time, t.event_end_name,
  t.event_start_name, t.duration, c.user_id, c.total_cpu_time, m.total_memory_usage_kb
FROM android_auto_multiuser_timing AS t
CROSS JOIN _android_auto_user_10_total_cpu_time AS c
CROSS JOIN _android_auto_user_10_total_memory AS m;
