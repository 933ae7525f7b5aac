-- Slices with the thread and the process that they belong to.

-- Slices of threads. Rows are in the order of tracks, not of time.
CREATE PERFETTO VIEW thread_slice(
  -- Slice.
  id ID(slice.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns; -1 if the slice never ended.
  dur DURATION,
  -- Category of the slice.
  category STRING,
  -- Name of the slice.
  name STRING,
  -- Track of the slice.
  track_id JOINID(track.id),
  -- Name of the track.
  track_name STRING,
  -- Name of the thread.
  thread_name STRING,
  -- Thread.
  utid JOINID(thread.id),
  -- Thread number of the operating system.
  tid LONG,
  -- 1 if the thread is the main thread of its process.
  is_main_thread BOOL,
  -- Name of the process; NULL without a process.
  process_name STRING,
  -- Process; NULL without one.
  upid JOINID(process.id),
  -- Process number of the operating system.
  pid LONG,
  -- Number of slices that contain the slice.
  depth LONG,
  -- Slice that directly contains the slice.
  parent_id JOINID(slice.id),
  -- Args of the slice.
  arg_set_id ARGSETID,
  -- Start in CPU time of the thread, ns.
  thread_ts TIMESTAMP,
  -- Duration in CPU time of the thread, ns.
  thread_dur DURATION
) AS
SELECT
  slice.id,
  slice.ts,
  slice.dur,
  slice.category,
  slice.name,
  slice.track_id,
  thread_track.name AS track_name,
  thread.name AS thread_name,
  thread.utid,
  thread.tid,
  thread.is_main_thread,
  process.name AS process_name,
  process.upid,
  process.pid,
  slice.depth,
  slice.parent_id,
  slice.arg_set_id,
  slice.thread_ts,
  slice.thread_dur
FROM slice
JOIN thread_track ON slice.track_id = thread_track.id
JOIN thread USING (utid)
LEFT JOIN process USING (upid);

-- Slices of processes that belong to no thread, such as asynchronous ones.
CREATE PERFETTO VIEW process_slice(
  -- Slice.
  id ID(slice.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns; -1 if the slice never ended.
  dur DURATION,
  -- Category of the slice.
  category STRING,
  -- Name of the slice.
  name STRING,
  -- Track of the slice.
  track_id JOINID(track.id),
  -- Name of the track.
  track_name STRING,
  -- Name of the process.
  process_name STRING,
  -- Process.
  upid JOINID(process.id),
  -- Process number of the operating system.
  pid LONG,
  -- Number of slices that contain the slice.
  depth LONG,
  -- Slice that directly contains the slice.
  parent_id JOINID(slice.id),
  -- Args of the slice.
  arg_set_id ARGSETID,
  -- Start in CPU time of the thread, ns.
  thread_ts TIMESTAMP,
  -- Duration in CPU time of the thread, ns.
  thread_dur DURATION
) AS
SELECT
  slice.id,
  slice.ts,
  slice.dur,
  slice.category,
  slice.name,
  slice.track_id,
  process_track.name AS track_name,
  process.name AS process_name,
  process.upid,
  process.pid,
  slice.depth,
  slice.parent_id,
  slice.arg_set_id,
  slice.thread_ts,
  slice.thread_dur
FROM slice
JOIN process_track ON slice.track_id = process_track.id
JOIN process USING (upid);

-- Slices of threads, then those of processes.
CREATE PERFETTO VIEW thread_or_process_slice(
  -- Slice.
  id ID(slice.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns; -1 if the slice never ended.
  dur DURATION,
  -- Category of the slice.
  category STRING,
  -- Name of the slice.
  name STRING,
  -- Track of the slice.
  track_id JOINID(track.id),
  -- Name of the track.
  track_name STRING,
  -- Name of the thread; NULL for slices of processes.
  thread_name STRING,
  -- Thread; NULL for slices of processes.
  utid JOINID(thread.id),
  -- Thread number of the operating system; NULL for slices of processes.
  tid LONG,
  -- Name of the process; NULL without a process.
  process_name STRING,
  -- Process; NULL without one.
  upid JOINID(process.id),
  -- Process number of the operating system.
  pid LONG,
  -- Number of slices that contain the slice.
  depth LONG,
  -- Slice that directly contains the slice.
  parent_id JOINID(slice.id),
  -- Args of the slice.
  arg_set_id ARGSETID
) AS
SELECT
  id, ts, dur, category, name, track_id, track_name, thread_name, utid, tid, process_name, upid,
  pid, depth, parent_id, arg_set_id
FROM thread_slice
UNION ALL
SELECT
  id, ts, dur, category, name, track_id, track_name, NULL AS thread_name, NULL AS utid,
  NULL AS tid, process_name, upid, pid, depth, parent_id, arg_set_id
FROM process_slice;
