-- Frames of applications: the work of the UI thread and of the render thread, and the frame timeline.

INCLUDE PERFETTO MODULE slices.with_context;

-- Slices whose name ends with the number of a frame.
CREATE PERFETTO FUNCTION _get_frame_table_with_id(
  -- Pattern of the names.
  glob_str STRING
)
RETURNS TABLE(
  -- Slice.
  id ID(slice.id),
  -- Number of the frame (vsync id).
  frame_id LONG,
  -- Thread.
  utid JOINID(thread.id),
  -- Process.
  upid JOINID(process.id),
  -- Start, ns.
  ts TIMESTAMP
) AS
SELECT id, frame_id, utid, upid, ts
FROM (
  SELECT id, cast_int!(str_split(name, ' ', 1)) AS frame_id, utid, upid, ts
  FROM thread_slice
  WHERE name GLOB $glob_str
)
WHERE frame_id != 0 AND frame_id != -1;

-- Work of the UI thread for a frame: slices Choreographer#doFrame.
CREATE PERFETTO TABLE android_frames_choreographer_do_frame(
  -- Slice.
  id ID(slice.id),
  -- Number of the frame (vsync id).
  frame_id LONG,
  -- UI thread of the application.
  ui_thread_utid JOINID(thread.id),
  -- Process.
  upid JOINID(process.id),
  -- Start, ns.
  ts TIMESTAMP
) AS
SELECT id, frame_id, utid AS ui_thread_utid, upid, ts
FROM _get_frame_table_with_id('Choreographer#doFrame*')
ORDER BY id;

-- Work of the render thread for a frame: slices DrawFrame.
CREATE PERFETTO TABLE android_frames_draw_frame(
  -- Slice.
  id ID(slice.id),
  -- Number of the frame (vsync id).
  frame_id LONG,
  -- Render thread of the application.
  render_thread_utid JOINID(thread.id),
  -- Process.
  upid JOINID(process.id)
) AS
SELECT id, frame_id, utid AS render_thread_utid, upid
FROM _get_frame_table_with_id('DrawFrame*')
ORDER BY id;

-- Actual frame timeline slices, one for each frame, process and layer: frame_id, upid, id, ts, dur,
-- layer_name.
CREATE PERFETTO TABLE _distinct_layer_actual_timeline_slice_per_process AS
SELECT
  cast_int!(name) AS frame_id, upid, max(id) AS id, ts, dur, layer_name
FROM actual_frame_timeline_slice
WHERE name GLOB '[0-9]*' AND surface_frame_token IS NOT NULL
GROUP BY name, upid, layer_name;

-- Expected frame timeline slices, one for each frame and process: frame_id, upid, id, ts, dur.
CREATE PERFETTO TABLE _distinct_from_expected_timeline_slice_per_process AS
SELECT cast_int!(name) AS frame_id, upid, max(id) AS id, ts, dur
FROM expected_frame_timeline_slice
WHERE name GLOB '[0-9]*' AND surface_frame_token IS NOT NULL
GROUP BY name, upid;

-- Frames whose vsync the application missed: callbacks that Choreographer ran late.
CREATE PERFETTO TABLE _vsync_missed_callback AS
SELECT
  id, ts, upid,
  cast_int!(regexp_extract(name, 'FT#([0-9]+)')) AS frame_id,
  iif(name GLOB '*SF callback*', 1, 0) AS sf_callback_missed,
  iif(name GLOB '*HWUI callback*', 1, 0) AS hwui_callback_missed
FROM thread_or_process_slice
WHERE name GLOB '*FT#*MissedSFCallback*' OR name GLOB '*FT#*MissedHWUICallback*';

-- Frames of applications, one row for each frame, process and layer. Time is that of the actual
-- frame timeline, else from the start of doFrame to the end of DrawFrame.
CREATE PERFETTO TABLE android_frames_layers(
  -- Number of the frame (vsync id).
  frame_id LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- End, ns.
  ts_end TIMESTAMP,
  -- Choreographer#doFrame slice.
  do_frame_id JOINID(slice.id),
  -- DrawFrame slice.
  draw_frame_id JOINID(slice.id),
  -- Actual frame timeline slice.
  actual_frame_timeline_id JOINID(slice.id),
  -- Expected frame timeline slice.
  expected_frame_timeline_id JOINID(slice.id),
  -- Render thread of the application.
  render_thread_utid JOINID(thread.id),
  -- UI thread of the application.
  ui_thread_utid JOINID(thread.id),
  -- Number of the layer.
  layer_id LONG,
  -- Name of the layer.
  layer_name STRING,
  -- Process.
  upid JOINID(process.id),
  -- Name of the process.
  process_name STRING
) AS
WITH work AS (
  SELECT
    f.frame_id, f.upid, f.ts AS do_frame_ts, f.id AS do_frame_id, d.id AS draw_frame_id,
    d.render_thread_utid, f.ui_thread_utid, s.ts + s.dur AS draw_frame_end
  FROM android_frames_choreographer_do_frame AS f
  JOIN android_frames_draw_frame AS d ON d.frame_id = f.frame_id AND d.upid = f.upid
  JOIN slice AS s ON s.id = d.id
)
SELECT
  w.frame_id,
  coalesce(a.ts, w.do_frame_ts) AS ts,
  coalesce(a.dur, w.draw_frame_end - w.do_frame_ts) AS dur,
  coalesce(a.ts + a.dur, w.draw_frame_end) AS ts_end,
  w.do_frame_id, w.draw_frame_id,
  a.id AS actual_frame_timeline_id, e.id AS expected_frame_timeline_id,
  w.render_thread_utid, w.ui_thread_utid,
  cast_int!(str_split(a.layer_name, '#', 1)) AS layer_id, a.layer_name, w.upid,
  p.name AS process_name
FROM work AS w
LEFT JOIN _distinct_layer_actual_timeline_slice_per_process AS a
  ON a.frame_id = w.frame_id AND a.upid = w.upid
LEFT JOIN _distinct_from_expected_timeline_slice_per_process AS e
  ON e.frame_id = w.frame_id AND e.upid = w.upid
LEFT JOIN process AS p ON p.upid = w.upid
ORDER BY w.frame_id;

-- Frames of applications, one row for each frame and process.
CREATE PERFETTO TABLE android_frames(
  -- Number of the frame (vsync id).
  frame_id LONG,
  -- Start of the earliest part, ns.
  ts TIMESTAMP,
  -- Duration of the longest part, ns.
  dur DURATION,
  -- Choreographer#doFrame slice.
  do_frame_id JOINID(slice.id),
  -- DrawFrame slice.
  draw_frame_id JOINID(slice.id),
  -- Actual frame timeline slice.
  actual_frame_timeline_id JOINID(slice.id),
  -- Expected frame timeline slice.
  expected_frame_timeline_id JOINID(slice.id),
  -- Render thread of the application.
  render_thread_utid JOINID(thread.id),
  -- UI thread of the application.
  ui_thread_utid JOINID(thread.id),
  -- Number of actual frame timeline slices.
  actual_frame_timeline_count LONG,
  -- Number of expected frame timeline slices.
  expected_frame_timeline_count LONG,
  -- Number of DrawFrame slices.
  draw_frame_count LONG,
  -- Process.
  upid JOINID(process.id),
  -- Name of the process.
  process_name STRING
) AS
SELECT
  frame_id, min(ts) AS ts, max(dur) AS dur, min(do_frame_id) AS do_frame_id,
  min(draw_frame_id) AS draw_frame_id, min(actual_frame_timeline_id) AS actual_frame_timeline_id,
  min(expected_frame_timeline_id) AS expected_frame_timeline_id,
  min(render_thread_utid) AS render_thread_utid, min(ui_thread_utid) AS ui_thread_utid,
  count(DISTINCT actual_frame_timeline_id) AS actual_frame_timeline_count,
  count(DISTINCT expected_frame_timeline_id) AS expected_frame_timeline_count,
  count(DISTINCT draw_frame_id) AS draw_frame_count,
  upid, min(process_name) AS process_name
FROM android_frames_layers
GROUP BY frame_id, upid
ORDER BY frame_id;

-- The first frame that begins after a time; one row or none.
CREATE PERFETTO FUNCTION android_first_frame_after(
  -- Time, ns.
  ts TIMESTAMP
)
RETURNS TABLE(
  -- Number of the frame (vsync id).
  frame_id LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Choreographer#doFrame slice.
  do_frame_id JOINID(slice.id),
  -- DrawFrame slice.
  draw_frame_id JOINID(slice.id),
  -- Actual frame timeline slice.
  actual_frame_timeline_id JOINID(slice.id),
  -- Expected frame timeline slice.
  expected_frame_timeline_id JOINID(slice.id),
  -- Render thread of the application.
  render_thread_utid JOINID(thread.id),
  -- UI thread of the application.
  ui_thread_utid JOINID(thread.id)
) AS
SELECT
  frame_id, ts, dur, do_frame_id, draw_frame_id, actual_frame_timeline_id,
  expected_frame_timeline_id, render_thread_utid, ui_thread_utid
FROM android_frames
WHERE ts > $ts
ORDER BY ts
LIMIT 1;
