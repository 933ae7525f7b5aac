-- Frames of journeys.

INCLUDE PERFETTO MODULE android.cujs.sysui_cujs;
INCLUDE PERFETTO MODULE android.frames.timeline;

-- Actual and expected frame timeline of the frames of animations.
-- Frame timeline of the frames of animations.
CREATE PERFETTO TABLE _android_jank_cuj_frame_timeline(
  -- Journey.
  cuj_id LONG,
  -- Number of the frame.
  vsync LONG,
  -- 1 if the application missed the deadline.
  app_missed LONG,
  -- 1 if SurfaceFlinger missed the deadline.
  sf_missed LONG,
  -- Severity of the jank.
  jank_score LONG,
  -- 1 if the callback of SurfaceFlinger was missed.
  sf_callback_missed LONG,
  -- 1 if the callback of the renderer was missed.
  hwui_callback_missed LONG,
  -- 1 if the frame finished in time.
  on_time_finish LONG,
  -- End of the actual frame, ns.
  ts_end_actual TIMESTAMP,
  -- Duration of the actual frame, ns.
  dur DURATION,
  -- Duration of the expected frame, ns.
  dur_expected DURATION,
  -- Number of layers.
  number_of_layers_for_frame LONG,
  -- Name of the layer.
  frame_layer_name STRING
) AS
SELECT
  c.cuj_id, cast_int!(a.name) AS vsync, max(a.jank_type GLOB '*App Deadline Missed*') AS app_missed,
  max(
    a.jank_type GLOB '*SurfaceFlinger CPU Deadline Missed*'
    OR a.jank_type GLOB '*SurfaceFlinger GPU Deadline Missed*'
    OR a.jank_type GLOB '*SurfaceFlinger Scheduling*' OR a.jank_type GLOB '*Prediction Error*'
    OR a.jank_type GLOB '*Display HAL*'
  ) AS sf_missed,
  max(a.jank_score) AS jank_score, max(coalesce(v.sf_callback_missed, 0)) AS sf_callback_missed,
  max(coalesce(v.hwui_callback_missed, 0)) AS hwui_callback_missed,
  min(a.on_time_finish) AS on_time_finish, max(a.ts + a.dur) AS ts_end_actual, max(a.dur) AS dur,
  max(e.dur) AS dur_expected, count(DISTINCT a.layer_name) AS number_of_layers_for_frame,
  min(a.layer_name) AS frame_layer_name
FROM android_sysui_jank_cujs AS c
JOIN actual_frame_timeline_slice AS a
  ON a.upid = c.upid AND a.ts < c.ts_end AND a.ts + a.dur > c.ts
LEFT JOIN expected_frame_timeline_slice AS e ON e.upid = a.upid AND e.name = a.name
LEFT JOIN _vsync_missed_callback AS v ON v.upid = a.upid AND v.frame_id = cast_int!(a.name)
WHERE a.surface_frame_token IS NOT NULL
GROUP BY c.cuj_id, a.name;

-- Frames of animations with the work of the application.
CREATE PERFETTO TABLE _android_jank_cuj_frame(
  -- Journey.
  cuj_id LONG,
  -- Number of the frame in the animation, from 1.
  frame_number LONG,
  -- Number of the frame.
  vsync LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Start of the expected frame, ns.
  ts_expected TIMESTAMP,
  -- Start of doFrame, ns.
  ts_do_frame_start TIMESTAMP,
  -- Number of waits for the GPU.
  gpu_fence_count LONG,
  -- 1 if the application drew.
  drew_anything LONG,
  -- 1 if the application missed the deadline.
  app_missed LONG,
  -- 1 if SurfaceFlinger missed the deadline.
  sf_missed LONG,
  -- Severity of the jank.
  jank_score LONG,
  -- 1 if the callback of SurfaceFlinger was missed.
  sf_callback_missed LONG,
  -- 1 if the callback of the renderer was missed.
  hwui_callback_missed LONG,
  -- 1 if the frame finished in time.
  on_time_finish LONG,
  -- Duration, ns.
  dur DURATION,
  -- Duration of the actual frame, ns.
  dur_unadjusted DURATION,
  -- Duration of the expected frame, ns.
  dur_expected DURATION,
  -- End, ns.
  ts_end TIMESTAMP
) AS
WITH work AS (
  SELECT
    f.upid, f.frame_id, min(f.ts) AS ts_do_frame_start,
    max(d.id IS NOT NULL) AS drew_anything
  FROM android_frames_choreographer_do_frame AS f
  LEFT JOIN android_frames_draw_frame AS d ON d.frame_id = f.frame_id AND d.upid = f.upid
  GROUP BY f.upid, f.frame_id
)
SELECT
  t.cuj_id, row_number() OVER (PARTITION BY t.cuj_id ORDER BY t.vsync) AS frame_number, t.vsync,
  coalesce(w.ts_do_frame_start, t.ts_end_actual - t.dur) AS ts,
  t.ts_end_actual - t.dur AS ts_expected, w.ts_do_frame_start, 0 AS gpu_fence_count,
  coalesce(w.drew_anything, 0) AS drew_anything, t.app_missed, t.sf_missed, t.jank_score,
  t.sf_callback_missed, t.hwui_callback_missed, t.on_time_finish,
  t.ts_end_actual - coalesce(w.ts_do_frame_start, t.ts_end_actual - t.dur) AS dur,
  t.dur AS dur_unadjusted, t.dur_expected, t.ts_end_actual AS ts_end
FROM _android_jank_cuj_frame_timeline AS t
JOIN android_sysui_jank_cujs AS c USING (cuj_id)
LEFT JOIN work AS w ON w.frame_id = t.vsync AND w.upid = c.upid;

-- Frames of SurfaceFlinger during animations.
CREATE PERFETTO TABLE _android_jank_cuj_sf_frame(
  -- Journey.
  cuj_id LONG,
  -- Number of the frame.
  vsync LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Start of the work of SurfaceFlinger, ns.
  ts_main_thread_start TIMESTAMP,
  -- End, ns.
  ts_end TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- 1 if SurfaceFlinger missed the deadline.
  sf_missed LONG,
  -- 1 if an application missed the deadline.
  app_missed LONG,
  -- Severity of the jank.
  jank_score LONG,
  -- Who caused the jank.
  jank_tag STRING,
  -- Kind of the jank.
  jank_type STRING,
  -- Whether the prediction held.
  prediction_type STRING,
  -- Whether the frame was presented in time.
  present_type STRING,
  -- 1 if the GPU composed the frame.
  gpu_composition LONG,
  -- Duration of the expected frame, ns.
  dur_expected DURATION,
  -- Number of the frame in the animation, from 1.
  frame_number LONG
) AS
SELECT
  c.cuj_id, cast_int!(a.name) AS vsync, a.ts, a.ts AS ts_main_thread_start, a.ts + a.dur AS ts_end,
  a.dur, a.jank_type GLOB '*SurfaceFlinger*Deadline Missed*' AS sf_missed,
  a.jank_type GLOB '*App Deadline Missed*' AS app_missed, a.jank_score, a.jank_tag, a.jank_type,
  a.prediction_type, a.present_type, a.gpu_composition, e.dur AS dur_expected,
  row_number() OVER (PARTITION BY c.cuj_id ORDER BY a.ts) AS frame_number
FROM android_sysui_jank_cujs AS c
JOIN actual_frame_timeline_slice AS a ON a.ts < c.ts_end AND a.ts + a.dur > c.ts
JOIN process AS p ON p.upid = a.upid AND p.name = '/system/bin/surfaceflinger'
LEFT JOIN expected_frame_timeline_slice AS e ON e.upid = a.upid AND e.name = a.name
WHERE a.surface_frame_token IS NULL;

-- Animations with the number of their frames.
CREATE PERFETTO TABLE android_jank_cuj_slice_summary(
  -- Journey.
  cuj_id LONG,
  -- Name of the journey.
  name STRING,
  -- Name of the process.
  process_name STRING,
  -- completed, canceled or NULL if the trace does not tell.
  state STRING,
  -- Number of frames.
  total_frames LONG,
  -- Number of frames that the application missed.
  missed_app_frames LONG,
  -- Number of frames that SurfaceFlinger missed.
  missed_sf_frames LONG,
  -- Name of the layer.
  layer_name STRING,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Track of the journey.
  track_id JOINID(track.id),
  -- Slice of the journey.
  slice_id JOINID(slice.id)
) AS
WITH frames AS (
  SELECT
    cuj_id, count(*) AS total_frames, sum(app_missed) AS missed_app_frames,
    sum(sf_missed) AS missed_sf_frames, min(frame_layer_name) AS layer_name
  FROM _android_jank_cuj_frame_timeline
  GROUP BY cuj_id
)
SELECT
  c.cuj_id, c.cuj_name AS name, c.process_name, c.state, f.total_frames, f.missed_app_frames,
  f.missed_sf_frames, f.layer_name, c.ts, c.dur, s.track_id, c.slice_id
FROM android_sysui_jank_cujs AS c
JOIN slice AS s ON s.id = c.slice_id
LEFT JOIN frames AS f USING (cuj_id)
ORDER BY c.ts;
