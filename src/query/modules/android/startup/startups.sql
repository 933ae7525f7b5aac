-- Launches of applications.

INCLUDE PERFETTO MODULE slices.with_context;

-- Launches as the system server marks them. From Android 13 on: a slice launchingActivity#N, and in it
-- launchingActivity#N:completed-TYPE:PACKAGE. Before: a slice launching: PACKAGE.
CREATE PERFETTO TABLE _android_startups_raw AS
WITH mark AS (
  SELECT s.id, s.ts, s.dur, s.name
  FROM slice AS s
  JOIN process_track AS t ON s.track_id = t.id
  JOIN process AS p USING (upid)
  WHERE s.name GLOB 'launchingActivity#*' AND (p.name = 'system_server' OR p.name IS NULL)
),
completed AS (
  SELECT
    str_split(name, ':', 0) AS key,
    iif(
      name GLOB '*:completed-*:*' AND name NOT GLOB '*:completed-same-process:*',
      substr(str_split(name, ':', 1), 11), NULL
    ) AS startup_type,
    str_split(name, ':', 2) AS package
  FROM mark
  WHERE name GLOB 'launchingActivity#*:completed*:*'
),
launch AS (
  SELECT m.ts, m.dur, c.package, c.startup_type
  FROM mark AS m
  JOIN completed AS c ON c.key = m.name
  WHERE m.name NOT GLOB '*:*' AND m.dur > 0
  UNION ALL
  SELECT s.ts, s.dur, substr(s.name, 12), NULL
  FROM slice AS s
  JOIN process_track AS t ON s.track_id = t.id
  WHERE s.name GLOB 'launching: *' AND s.dur > 0 AND NOT EXISTS(SELECT 1 FROM completed)
)
SELECT
  row_number() OVER (ORDER BY ts, package) - 1 AS startup_id, ts, ts + dur AS ts_end, dur, package,
  startup_type
FROM launch
ORDER BY ts;

-- Slices that tell what a process did during a launch: utid, ts, name.
CREATE PERFETTO TABLE _startup_indicator_slices AS
SELECT
  ts, utid, upid,
  CASE
    WHEN name = 'bindApplication' THEN 'bindApplication'
    WHEN name GLOB 'activityStart*' THEN 'activityStart'
    WHEN name GLOB 'performCreate:*' THEN 'activityStart'
    ELSE 'activityResume'
  END AS name
FROM thread_slice
WHERE is_main_thread
  AND (
    name = 'bindApplication' OR name GLOB 'activityStart*' OR name GLOB 'performCreate:*'
    OR name GLOB 'activityResume*' OR name GLOB 'performResume:*'
  )
ORDER BY ts;

-- Number of such slices of a thread in an interval.
CREATE PERFETTO FUNCTION _startup_indicator_slice_count(
  -- Start, ns.
  start_ts TIMESTAMP,
  -- End, ns.
  end_ts TIMESTAMP,
  -- Thread.
  utid JOINID(thread.id),
  -- bindApplication, activityStart or activityResume.
  name STRING
)
-- Number of slices.
RETURNS LONG AS
SELECT count(*)
FROM _startup_indicator_slices
WHERE utid = $utid AND ts >= $start_ts AND ts <= $end_ts AND name = $name;

-- Processes that a launch brought to the screen: those of the package that created or resumed an
-- activity during the launch.
CREATE PERFETTO TABLE android_startup_processes(
  -- Startup.
  startup_id JOINID(android_startups.startup_id),
  -- Process.
  upid JOINID(process.id),
  -- Process number of the operating system.
  pid LONG,
  -- Kind of the startup: cold, warm or hot.
  startup_type STRING
) AS
WITH package_uid AS (
  SELECT package_name, min(uid) AS uid FROM package_list GROUP BY package_name
),
work AS (
  SELECT
    s.startup_id, i.upid, s.package, s.startup_type,
    sum(i.name = 'bindApplication') AS binds,
    sum(i.name = 'activityStart') AS starts,
    sum(i.name = 'activityResume') AS resumes
  FROM _android_startups_raw AS s
  JOIN _startup_indicator_slices AS i ON i.ts >= s.ts AND i.ts <= s.ts_end
  GROUP BY s.startup_id, i.upid
)
SELECT
  w.startup_id, w.upid, p.pid,
  coalesce(
    w.startup_type,
    CASE WHEN w.binds > 0 THEN 'cold' WHEN w.starts > 0 THEN 'warm' ELSE 'hot' END
  ) AS startup_type
FROM work AS w
JOIN process AS p USING (upid)
LEFT JOIN package_uid AS u ON u.package_name = w.package
WHERE p.name = w.package OR p.name GLOB (w.package || ':*') OR p.android_appid = u.uid
ORDER BY w.startup_id, w.upid;

-- Launches of applications.
CREATE PERFETTO VIEW android_startups(
  -- Number of the launch.
  startup_id ID,
  -- Start, ns.
  ts TIMESTAMP,
  -- End, ns.
  ts_end TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Duration, ns, from the last intent of the launch on: activities that only start another one are
  -- left out.
  dur_without_trampoline DURATION,
  -- Package.
  package STRING,
  -- Kind of the startup: cold, warm or hot.
  startup_type STRING
) AS
SELECT
  s.startup_id, s.ts, s.ts_end, s.dur,
  s.ts_end - coalesce(
    (
      SELECT max(i.ts)
      FROM slice AS i
      WHERE i.name = 'MetricsLogger:launchObserverNotifyIntentStarted'
        AND i.ts >= s.ts AND i.ts < s.ts_end
    ),
    s.ts
  ) AS dur_without_trampoline,
  s.package,
  coalesce(
    s.startup_type,
    (SELECT min(p.startup_type) FROM android_startup_processes AS p WHERE p.startup_id = s.startup_id)
  ) AS startup_type
FROM _android_startups_raw AS s;

-- Threads of the processes of launches.
CREATE PERFETTO VIEW android_startup_threads(
  -- Startup.
  startup_id JOINID(android_startups.startup_id),
  -- Start of the launch, ns.
  ts TIMESTAMP,
  -- Duration of the launch, ns.
  dur DURATION,
  -- Process.
  upid JOINID(process.id),
  -- Process number of the operating system.
  pid LONG,
  -- Thread.
  utid JOINID(thread.id),
  -- Thread number of the operating system.
  tid LONG,
  -- Name of the thread.
  thread_name STRING,
  -- 1 if the thread is the main thread of its process.
  is_main_thread BOOL
) AS
SELECT
  s.startup_id, s.ts, s.dur, p.upid, p.pid, t.utid, t.tid, t.name AS thread_name, t.is_main_thread
FROM _android_startups_raw AS s
JOIN android_startup_processes AS p USING (startup_id)
JOIN thread AS t USING (upid);

-- Slices of the threads of launches that began during the launch.
CREATE PERFETTO VIEW android_thread_slices_for_all_startups(
  -- Start of the launch, ns.
  startup_ts TIMESTAMP,
  -- End of the launch, ns.
  startup_ts_end TIMESTAMP,
  -- Startup.
  startup_id JOINID(android_startups.startup_id),
  -- Thread.
  utid JOINID(thread.id),
  -- Thread number of the operating system.
  tid LONG,
  -- Name of the thread.
  thread_name STRING,
  -- 1 if the thread is the main thread of its process.
  is_main_thread BOOL,
  -- Args.
  arg_set_id ARGSETID,
  -- Slice.
  slice_id JOINID(slice.id),
  -- Name of the slice.
  slice_name STRING,
  -- Start of the slice, ns.
  slice_ts TIMESTAMP,
  -- Duration of the slice, ns.
  slice_dur DURATION
) AS
SELECT
  st.ts AS startup_ts, st.ts + st.dur AS startup_ts_end, st.startup_id, st.utid, st.tid,
  st.thread_name, st.is_main_thread, s.arg_set_id, s.id AS slice_id, s.name AS slice_name,
  s.ts AS slice_ts, s.dur AS slice_dur
FROM android_startup_threads AS st
JOIN thread_track AS t USING (utid)
JOIN slice AS s ON s.track_id = t.id
WHERE s.ts >= st.ts AND s.ts <= st.ts + st.dur;

-- Loading of classes during launches.
CREATE PERFETTO VIEW android_class_loading_for_startup(
  -- Slice.
  slice_id JOINID(slice.id),
  -- Startup.
  startup_id JOINID(android_startups.startup_id),
  -- Name of the slice.
  slice_name STRING,
  -- Start of the slice, ns.
  slice_ts TIMESTAMP,
  -- Duration of the slice, ns.
  slice_dur DURATION,
  -- Name of the thread.
  thread_name STRING,
  -- Thread number of the operating system.
  tid LONG,
  -- Args.
  arg_set_id ARGSETID
) AS
SELECT slice_id, startup_id, slice_name, slice_ts, slice_dur, thread_name, tid, arg_set_id
FROM android_thread_slices_for_all_startups
WHERE slice_name GLOB 'L*/*;';

-- Slices of a name during a launch.
CREATE PERFETTO FUNCTION android_slices_for_startup_and_slice_name(
  -- Launch.
  startup_id JOINID(android_startups.startup_id),
  -- Pattern of the name.
  slice_name STRING
)
RETURNS TABLE(
  -- Slice.
  slice_id JOINID(slice.id),
  -- Name of the slice.
  slice_name STRING,
  -- Start of the slice, ns.
  slice_ts TIMESTAMP,
  -- Duration of the slice, ns.
  slice_dur DURATION,
  -- Name of the thread.
  thread_name STRING,
  -- Thread number of the operating system.
  tid LONG,
  -- Args.
  arg_set_id ARGSETID
) AS
SELECT slice_id, slice_name, slice_ts, slice_dur, thread_name, tid, arg_set_id
FROM android_thread_slices_for_all_startups
WHERE startup_id = $startup_id AND slice_name GLOB $slice_name;

-- Binder calls during a launch that took longer than a threshold.
CREATE PERFETTO FUNCTION android_binder_transaction_slices_for_startup(
  -- Launch.
  startup_id JOINID(android_startups.startup_id),
  -- Duration, ns.
  threshold DOUBLE
)
RETURNS TABLE(
  -- Slice.
  id LONG,
  -- Duration of the call, ns.
  slice_dur DURATION,
  -- Name of the thread.
  thread_name STRING,
  -- Name of the process that handles the call.
  process STRING,
  -- Args.
  arg_set_id ARGSETID,
  -- 1 if the thread is the main thread of its process.
  is_main_thread BOOL
) AS
SELECT
  s.slice_id AS id, s.slice_dur, s.thread_name, p.name AS process, s.arg_set_id, s.is_main_thread
FROM android_thread_slices_for_all_startups AS s
LEFT JOIN flow AS f ON f.slice_out = s.slice_id
LEFT JOIN slice AS r ON r.id = f.slice_in
LEFT JOIN thread_track AS tt ON tt.id = r.track_id
LEFT JOIN thread AS t ON t.utid = tt.utid
LEFT JOIN process AS p ON p.upid = t.upid
WHERE s.startup_id = $startup_id AND s.slice_name GLOB 'binder transaction*'
  AND s.slice_dur > $threshold;

-- Duration of all slices of a name during a launch.
CREATE PERFETTO FUNCTION android_sum_dur_for_startup_and_slice(
  -- Launch.
  startup_id JOINID(android_startups.startup_id),
  -- Pattern of the name.
  slice_name STRING
)
-- Sum of the durations, ns; NULL if there is no such slice.
RETURNS LONG AS
SELECT sum(slice_dur)
FROM android_thread_slices_for_all_startups
WHERE startup_id = $startup_id AND slice_name GLOB $slice_name;

-- The same on main threads only.
CREATE PERFETTO FUNCTION android_sum_dur_on_main_thread_for_startup_and_slice(
  -- Launch.
  startup_id JOINID(android_startups.startup_id),
  -- Pattern of the name.
  slice_name STRING
)
-- Sum of the durations, ns; NULL if there is no such slice.
RETURNS LONG AS
SELECT sum(slice_dur)
FROM android_thread_slices_for_all_startups
WHERE startup_id = $startup_id AND slice_name GLOB $slice_name AND is_main_thread;
