-- Launches split by what the main thread of the application did.

INCLUDE PERFETTO MODULE android.slices;
INCLUDE PERFETTO MODULE android.startup.startups;
INCLUDE PERFETTO MODULE intervals.intersect;
INCLUDE PERFETTO MODULE slices.flat_slices;

-- Name of a slice in lower case, with _ for blanks and without varying parts.
CREATE PERFETTO FUNCTION _normalize_android_string(
  -- Name of the slice.
  name STRING
)
-- Name.
RETURNS STRING AS
SELECT replace(lower(android_standardize_slice_name($name)), ' ', '_');

-- What a thread did at a moment of a launch.
CREATE PERFETTO FUNCTION _startup_breakdown_reason(
  -- Name of the innermost slice.
  name STRING,
  -- Scheduling state.
  state STRING,
  -- 1 if the thread waited for I/O.
  io_wait LONG,
  -- 1 if an interrupt woke the thread.
  irq_context LONG
)
-- What the thread did.
RETURNS STRING AS
SELECT CASE
  WHEN $io_wait = 1 THEN 'io'
  WHEN $state = 'R' AND $irq_context = 1 THEN 'runnable_after_irq'
  WHEN $name GLOB 'bindApplication*' THEN 'bind_application'
  WHEN $name GLOB 'handleBindApplication*' THEN 'bind_application'
  WHEN $name GLOB 'activityStart*' OR $name GLOB 'performCreate*' THEN 'activity_start'
  WHEN $name GLOB 'activityResume*' OR $name GLOB 'performResume*' THEN 'activity_resume'
  WHEN $name GLOB 'Choreographer#doFrame*' THEN 'choreographer_do_frame'
  WHEN $name GLOB 'inflate*' THEN 'inflate'
  WHEN $name GLOB 'ResourcesManager#getResources*' THEN 'resources_manager_get_resources'
  WHEN $name GLOB 'binder*' THEN 'binder'
  WHEN $name GLOB 'monitor contention*' THEN 'monitor_contention'
  WHEN $name GLOB 'Lock contention*' THEN 'art_lock_contention'
  WHEN $name GLOB 'GC: Wait*' THEN 'userspace_memory_reclaim'
  WHEN $name GLOB 'mm_vmscan*' OR $name GLOB 'kswapd*' THEN 'kernel_memory_reclaim'
  WHEN $name GLOB 'OpenDexFilesFromOat*' OR $name GLOB 'Open dex file*' THEN 'open_dex_files_from_oat'
  WHEN $name GLOB 'VerifyClass*' THEN 'verify_class'
  WHEN $name GLOB 'L*/*;' THEN 'class_loading'
  WHEN $name GLOB 'dlopen*' THEN 'dlopen'
  WHEN $state IS NOT NULL THEN $state
  ELSE 'launch_delay'
END;

-- Launches with the main thread of their application: startup_id, ts, dur, utid.
CREATE PERFETTO TABLE _startup_root_slices AS
SELECT DISTINCT startup_id AS id, startup_id, ts, dur, utid
FROM android_startup_threads
WHERE is_main_thread AND dur > 0;

-- Innermost slices of these threads: id, ts, dur, utid, slice_id, name.
CREATE PERFETTO TABLE _startup_relevant_slices AS
SELECT f._auto_id AS id, f.ts, f.dur, f.utid, f.slice_id, f.name
FROM _slice_flattened AS f
WHERE f.utid IN (SELECT utid FROM _startup_root_slices);

-- Names of these slices without varying parts.
CREATE PERFETTO TABLE _startup_normalized_slices AS
SELECT DISTINCT name, _normalize_android_string(name) AS normalized
FROM (SELECT DISTINCT name FROM _startup_relevant_slices);

-- Launches cut at each change of the innermost slice: startup_id, slice_id, ts, dur, name.
CREATE PERFETTO TABLE _startup_slices_breakdown AS
SELECT
  i.id_0 AS startup_id, s.slice_id, i.ts, i.dur, s.name, i.utid
FROM _interval_intersect!(
  (
    (SELECT id, ts, dur, utid FROM _startup_root_slices),
    (SELECT id, ts, dur, utid FROM _startup_relevant_slices)
  ),
  (utid)
) AS i
JOIN _startup_relevant_slices AS s ON s.id = i.id_1;

-- The same with row numbers, as input of further cuts: id, ts, dur, startup_id.
CREATE PERFETTO TABLE _startup_flat_slices_breakdown AS
SELECT row_number() OVER (ORDER BY startup_id, ts) AS id, startup_id, slice_id, ts, dur, name
FROM _startup_slices_breakdown
ORDER BY 1;

-- Launches cut at each change of the state of the main thread: id, startup_id, thread_state_id, ts,
-- dur.
CREATE PERFETTO TABLE _startup_thread_states_breakdown AS
SELECT
  row_number() OVER (ORDER BY i.id_0, i.ts) AS id, i.id_0 AS startup_id, i.id_1 AS thread_state_id,
  i.ts, i.dur
FROM _interval_intersect!(
  (
    (SELECT id, ts, dur, utid FROM _startup_root_slices),
    (SELECT id, ts, dur, utid FROM thread_state WHERE dur > 0)
  ),
  (utid)
) AS i
ORDER BY 1;

CREATE PERFETTO VIEW _startup_states_for_span AS
SELECT ts, dur, startup_id, thread_state_id FROM _startup_thread_states_breakdown;

CREATE PERFETTO VIEW _startup_slices_for_span AS
SELECT ts, dur, startup_id, slice_id, name FROM _startup_flat_slices_breakdown;

CREATE VIRTUAL TABLE _startup_breakdown_span
USING SPAN_OUTER_JOIN(
  _startup_states_for_span PARTITIONED startup_id, _startup_slices_for_span PARTITIONED startup_id
);

-- Launches split by what the main thread of the application did.
CREATE PERFETTO TABLE android_startup_opinionated_breakdown(
  -- Launch.
  startup_id JOINID(android_startups.startup_id),
  -- Innermost slice of the main thread.
  slice_id JOINID(slice.id),
  -- State of the main thread.
  thread_state_id JOINID(thread_state.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- What the main thread did.
  reason STRING
) AS
SELECT
  s.startup_id, s.slice_id, s.thread_state_id, s.ts, s.dur,
  _startup_breakdown_reason(s.name, t.state, t.io_wait, t.irq_context) AS reason
FROM _startup_breakdown_span AS s
LEFT JOIN thread_state AS t ON t.id = s.thread_state_id
ORDER BY s.startup_id, s.ts;
