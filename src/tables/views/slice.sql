-- Slices, tracks, counters and flows

-- Slices without duration.
CREATE PERFETTO VIEW instant(
  -- Start, ns of trace time.
  ts TIMESTAMP,
  -- Row of track.
  track_id JOINID(track.id),
  -- Name.
  name STRING,
  -- Args.
  arg_set_id ARGSETID
) AS
SELECT ts, track_id, name, arg_set_id FROM __intrinsic_slice WHERE dur = 0;

-- Tracks of slices of threads.
CREATE PERFETTO VIEW thread_track(
  -- Row number.
  id ID,
  -- Display name.
  name STRING,
  -- Type of the track.
  type STRING,
  -- Row of track.
  parent_id JOINID(track.id),
  -- Args about the source of the track.
  source_arg_set_id ARGSETID,
  -- Row of machine.
  machine_id JOINID(machine.id),
  -- Row of thread, if it is a thread's.
  utid JOINID(thread.id)
) AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, utid
FROM __intrinsic_track WHERE event_type = 'slice' AND utid IS NOT NULL;

-- Tracks of slices of processes.
CREATE PERFETTO VIEW process_track(
  -- Row number.
  id ID,
  -- Display name.
  name STRING,
  -- Type of the track.
  type STRING,
  -- Row of track.
  parent_id JOINID(track.id),
  -- Args about the source of the track.
  source_arg_set_id ARGSETID,
  -- Row of machine.
  machine_id JOINID(machine.id),
  -- Row of process, if it is a process's.
  upid JOINID(process.id)
) AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, upid
FROM __intrinsic_track WHERE event_type = 'slice' AND upid IS NOT NULL;

-- Tracks of slices of CPUs.
CREATE PERFETTO VIEW cpu_track(
  -- Row number.
  id ID,
  -- Display name.
  name STRING,
  -- Type of the track.
  type STRING,
  -- Row of track.
  parent_id JOINID(track.id),
  -- Args about the source of the track.
  source_arg_set_id ARGSETID,
  -- Row of machine.
  machine_id JOINID(machine.id),
  -- Number of the CPU on its machine.
  cpu LONG
) AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id,
  extract_arg(dimension_arg_set_id, 'cpu') AS cpu
FROM __intrinsic_track
WHERE event_type = 'slice' AND extract_arg(dimension_arg_set_id, 'cpu') IS NOT NULL;

-- Tracks of slices of GPUs.
CREATE PERFETTO VIEW gpu_track(
  -- Row number.
  id ID,
  -- Display name.
  name STRING,
  -- Type of the track.
  type STRING,
  -- Row of track.
  parent_id JOINID(track.id),
  -- Args about the source of the track.
  source_arg_set_id ARGSETID,
  -- Args that distinguish it from other tracks of its type.
  dimension_arg_set_id ARGSETID,
  -- Row of machine.
  machine_id JOINID(machine.id),
  -- Type of the track.
  scope STRING,
  -- Description of the track.
  description STRING,
  -- Id of the graphics context.
  context_id LONG
) AS
SELECT id, name, type, parent_id, source_arg_set_id, dimension_arg_set_id, machine_id,
  type AS scope, extract_arg(source_arg_set_id, 'description') AS description,
  extract_arg(dimension_arg_set_id, 'context_id') AS context_id
FROM __intrinsic_track
WHERE type IN ('drm_vblank', 'drm_sched_ring', 'drm_fence', 'mali_mcu_state', 'gpu_render_stage',
  'vulkan_events', 'gpu_log', 'graphics_frame_event');

-- Tracks of counters.
CREATE PERFETTO VIEW counter_track(
  -- Row number.
  id ID,
  -- Display name.
  name STRING,
  -- Row of track.
  parent_id JOINID(track.id),
  -- Type of the track.
  type STRING,
  -- Args that distinguish it from other tracks of its type.
  dimension_arg_set_id ARGSETID,
  -- Args about the source of the track.
  source_arg_set_id ARGSETID,
  -- Row of machine.
  machine_id JOINID(machine.id),
  -- Unit of a counter.
  unit STRING,
  -- Description of the counter.
  description STRING
) AS
SELECT id, name, parent_id, type, dimension_arg_set_id, source_arg_set_id, machine_id,
  counter_unit AS unit, extract_arg(source_arg_set_id, 'description') AS description
FROM __intrinsic_track WHERE event_type = 'counter';

-- Values of counters with the names of their tracks, by time.
CREATE PERFETTO VIEW counters(
  -- Row number.
  id ID,
  -- ns of trace time.
  ts TIMESTAMP,
  -- Row of track.
  track_id JOINID(track.id),
  -- Value from ts on.
  value DOUBLE,
  -- Args.
  arg_set_id ARGSETID,
  -- Display name.
  name STRING,
  -- Unit of a counter.
  unit STRING
) AS
SELECT c.id, c.ts, c.track_id, c.value, c.arg_set_id, t.name, t.counter_unit AS unit
FROM __intrinsic_counter AS c JOIN __intrinsic_track AS t ON t.id = c.track_id
WHERE t.event_type = 'counter'
ORDER BY c.ts;

-- Tracks of counters of CPUs.
CREATE PERFETTO VIEW cpu_counter_track(
  -- Row number.
  id ID,
  -- Display name.
  name STRING,
  -- Type of the track.
  type STRING,
  -- Row of track.
  parent_id JOINID(track.id),
  -- Args about the source of the track.
  source_arg_set_id ARGSETID,
  -- Row of machine.
  machine_id JOINID(machine.id),
  -- Unit of the counter.
  unit STRING,
  -- Description of the counter.
  description STRING,
  -- Number of the CPU on its machine.
  cpu LONG
) AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, unit, description,
  extract_arg(dimension_arg_set_id, 'cpu') AS cpu
FROM counter_track WHERE extract_arg(dimension_arg_set_id, 'cpu') IS NOT NULL;

-- Tracks of counters of GPUs.
CREATE PERFETTO VIEW gpu_counter_track(
  -- Row number.
  id ID,
  -- Display name.
  name STRING,
  -- Type of the track.
  type STRING,
  -- Row of track.
  parent_id JOINID(track.id),
  -- Args about the source of the track.
  source_arg_set_id ARGSETID,
  -- Row of machine.
  machine_id JOINID(machine.id),
  -- Unit of the counter.
  unit STRING,
  -- Description of the counter.
  description STRING,
  -- Row of gpu.
  ugpu LONG,
  -- Number of the GPU on its machine.
  gpu_id LONG
) AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, unit, description,
  extract_arg(dimension_arg_set_id, 'ugpu') AS ugpu,
  extract_arg(dimension_arg_set_id, 'gpu') AS gpu_id
FROM counter_track WHERE extract_arg(dimension_arg_set_id, 'ugpu') IS NOT NULL;

-- Tracks of counters of processes.
CREATE PERFETTO VIEW process_counter_track(
  -- Row number.
  id ID,
  -- Display name.
  name STRING,
  -- Type of the track.
  type STRING,
  -- Row of track.
  parent_id JOINID(track.id),
  -- Args about the source of the track.
  source_arg_set_id ARGSETID,
  -- Row of machine.
  machine_id JOINID(machine.id),
  -- Unit of a counter.
  unit STRING,
  -- Description of the counter.
  description STRING,
  -- Row of process, if it is a process's.
  upid JOINID(process.id)
) AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, counter_unit AS unit,
  extract_arg(source_arg_set_id, 'description') AS description, upid
FROM __intrinsic_track WHERE event_type = 'counter' AND upid IS NOT NULL;

-- Tracks of counters of threads.
CREATE PERFETTO VIEW thread_counter_track(
  -- Row number.
  id ID,
  -- Display name.
  name STRING,
  -- Type of the track.
  type STRING,
  -- Row of track.
  parent_id JOINID(track.id),
  -- Args about the source of the track.
  source_arg_set_id ARGSETID,
  -- Row of machine.
  machine_id JOINID(machine.id),
  -- Unit of a counter.
  unit STRING,
  -- Description of the counter.
  description STRING,
  -- Row of thread, if it is a thread's.
  utid JOINID(thread.id)
) AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, counter_unit AS unit,
  extract_arg(source_arg_set_id, 'description') AS description, utid
FROM __intrinsic_track WHERE event_type = 'counter' AND utid IS NOT NULL;

-- Tracks of counters of Linux perf.
CREATE PERFETTO VIEW perf_counter_track(
  -- Row number.
  id ID,
  -- Display name.
  name STRING,
  -- Type of the track.
  type STRING,
  -- Row of track.
  parent_id JOINID(track.id),
  -- Args about the source of the track.
  source_arg_set_id ARGSETID,
  -- Row of machine.
  machine_id JOINID(machine.id),
  -- Unit of the counter.
  unit STRING,
  -- Description of the counter.
  description STRING,
  -- Row of perf_session.
  perf_session_id JOINID(perf_session.id),
  -- Number of the CPU on its machine.
  cpu LONG,
  -- 1 if samples were taken by this counter.
  is_timebase BOOL
) AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, unit, description,
  extract_arg(dimension_arg_set_id, 'perf_session_id') AS perf_session_id,
  extract_arg(dimension_arg_set_id, 'cpu') AS cpu,
  extract_arg(source_arg_set_id, 'is_timebase') AS is_timebase
FROM counter_track WHERE type IN ('perf_cpu_counter', 'perf_global_counter');

-- Tracks of states.
CREATE PERFETTO VIEW state_track(
  -- Row number.
  id ID,
  -- Display name.
  name STRING,
  -- Row of track.
  parent_id JOINID(track.id),
  -- Type of the track.
  type STRING,
  -- Args that distinguish it from other tracks of its type.
  dimension_arg_set_id ARGSETID,
  -- Args about the source of the track.
  source_arg_set_id ARGSETID,
  -- Row of machine.
  machine_id JOINID(machine.id)
) AS
SELECT id, name, parent_id, type, dimension_arg_set_id, source_arg_set_id, machine_id
FROM __intrinsic_track WHERE event_type = 'state';

-- Tracks of states of processes.
CREATE PERFETTO VIEW process_state_track(
  -- Row number.
  id ID,
  -- Display name.
  name STRING,
  -- Type of the track.
  type STRING,
  -- Row of track.
  parent_id JOINID(track.id),
  -- Args about the source of the track.
  source_arg_set_id ARGSETID,
  -- Row of machine.
  machine_id JOINID(machine.id),
  -- Row of process, if it is a process's.
  upid JOINID(process.id)
) AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, upid
FROM __intrinsic_track WHERE event_type = 'state' AND upid IS NOT NULL;

-- Tracks of states of threads.
CREATE PERFETTO VIEW thread_state_track(
  -- Row number.
  id ID,
  -- Display name.
  name STRING,
  -- Type of the track.
  type STRING,
  -- Row of track.
  parent_id JOINID(track.id),
  -- Args about the source of the track.
  source_arg_set_id ARGSETID,
  -- Row of machine.
  machine_id JOINID(machine.id),
  -- Row of thread, if it is a thread's.
  utid JOINID(thread.id)
) AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, utid
FROM __intrinsic_track WHERE event_type = 'state' AND utid IS NOT NULL;

-- Typed key-value details of other rows.
CREATE PERFETTO VIEW args(
  -- Row number.
  id ID,
  -- The set that the row is in: the id of the first row of the set.
  arg_set_id ARGSETID,
  -- Path without array indexes.
  flat_key STRING,
  -- Path.
  key STRING,
  -- Value of an int, uint, bool or pointer.
  int_value LONG,
  -- Value of a string or json.
  string_value STRING,
  -- Value of a real.
  real_value DOUBLE,
  -- int, uint, string, real, pointer, bool, json or null.
  value_type STRING,
  -- The value as text; args_full has integers of 2^63 and more exactly.
  display_value STRING
) AS
SELECT id, arg_set_id, flat_key, key, int_value, string_value, real_value, value_type,
  CASE value_type
    WHEN 'int' THEN CAST(int_value AS TEXT)
    WHEN 'uint' THEN printf('%u', int_value)
    WHEN 'string' THEN string_value
    WHEN 'json' THEN string_value
    WHEN 'real' THEN CAST(real_value AS TEXT)
    WHEN 'pointer' THEN printf('0x%x', int_value)
    WHEN 'bool' THEN iif(int_value, 'true', 'false')
  END AS display_value
FROM __intrinsic_args;

-- All leaves of arg sets, also those without a row in args (ours): null, empty arrays and objects,
-- and values whose key another value has, too.
CREATE PERFETTO VIEW args_full(
  -- Row number.
  id ID,
  -- The set that the leaf is in, as in args.
  arg_set_id ARGSETID,
  -- Path without array indexes.
  flat_key STRING,
  -- Unambiguous path: names with a dot or bracket, and empty names, are in brackets and quotes, and
  -- indexes count nulls.
  key STRING,
  -- Value of an int, uint, bool or pointer.
  int_value LONG,
  -- Value of a string or json.
  string_value STRING,
  -- Value of a real.
  real_value DOUBLE,
  -- int, uint, string, real, pointer, bool, json, null, empty_array or empty_object.
  value_type STRING,
  -- The value as text, exact for integers up to 2^64.
  display_value STRING
) AS
SELECT id, arg_set_id, flat_key, key, int_value, string_value, real_value, value_type,
  CASE value_type
    WHEN 'int' THEN CAST(int_value AS TEXT)
    WHEN 'uint' THEN printf('%u', int_value)
    WHEN 'string' THEN string_value
    WHEN 'json' THEN string_value
    WHEN 'real' THEN CAST(real_value AS TEXT)
    WHEN 'pointer' THEN printf('0x%x', int_value)
    WHEN 'bool' THEN iif(int_value, 'true', 'false')
    WHEN 'null' THEN 'null'
    WHEN 'empty_array' THEN '[]'
    WHEN 'empty_object' THEN '{}'
  END AS display_value
FROM __intrinsic_args_full;
