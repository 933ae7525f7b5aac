-- Times of frames and whether they were late.

INCLUDE PERFETTO MODULE android.frames.timeline;

-- Number of actual frame timeline slices of each frame.
CREATE PERFETTO TABLE _frame_id_count_in_actual_timeline AS
SELECT frame_id, count(*) AS count
FROM _distinct_layer_actual_timeline_slice_per_process
GROUP BY frame_id;

-- Number of expected frame timeline slices of each frame.
CREATE PERFETTO TABLE _frame_id_count_in_expected_timeline AS
SELECT frame_id, count(*) AS count
FROM _distinct_from_expected_timeline_slice_per_process
GROUP BY frame_id;

-- By how much frames missed their deadline.
CREATE PERFETTO TABLE android_frames_overrun(
  -- Number of the frame (vsync id).
  frame_id LONG,
  -- End of the actual minus end of the expected frame timeline, ns; negative if in time.
  overrun LONG
) AS
SELECT f.frame_id, a.ts + a.dur - (e.ts + e.dur) AS overrun
FROM android_frames AS f
JOIN slice AS a ON a.id = f.actual_frame_timeline_id
JOIN slice AS e ON e.id = f.expected_frame_timeline_id
ORDER BY f.frame_id;

-- Time that the UI thread needed for frames.
CREATE PERFETTO TABLE android_frames_ui_time(
  -- Number of the frame (vsync id).
  frame_id LONG,
  -- Duration of doFrame, ns.
  ui_time LONG
) AS
SELECT f.frame_id, s.dur AS ui_time
FROM android_frames AS f
JOIN slice AS s ON s.id = f.do_frame_id
ORDER BY f.frame_id;

-- By how much applications began frames late.
CREATE PERFETTO TABLE android_app_vsync_delay_per_frame(
  -- Number of the frame (vsync id).
  frame_id LONG,
  -- Start of the actual minus start of the expected frame timeline, ns.
  app_vsync_delay LONG
) AS
SELECT f.frame_id, a.ts - e.ts AS app_vsync_delay
FROM android_frames AS f
JOIN slice AS a ON a.id = f.actual_frame_timeline_id
JOIN slice AS e ON e.id = f.expected_frame_timeline_id
ORDER BY f.frame_id;

-- Durations of doFrame and of all DrawFrame slices of frames.
CREATE PERFETTO TABLE _frame_work AS
WITH draw AS (
  SELECT l.frame_id, l.upid, sum(s.dur) AS draw_frame_dur
  FROM (SELECT DISTINCT frame_id, upid, draw_frame_id FROM android_frames_layers) AS l
  JOIN slice AS s ON s.id = l.draw_frame_id
  GROUP BY l.frame_id, l.upid
)
SELECT f.frame_id, s.dur AS do_frame_dur, draw.draw_frame_dur
FROM android_frames AS f
JOIN slice AS s ON s.id = f.do_frame_id
JOIN draw ON draw.frame_id = f.frame_id AND draw.upid = f.upid
ORDER BY f.frame_id;

-- CPU time of frames without frame timeline.
CREATE PERFETTO TABLE _cpu_time_per_frame_fallback(
  -- Number of the frame (vsync id).
  frame_id LONG,
  -- Duration of doFrame and of all DrawFrame slices, ns.
  estimated_cpu_time LONG
) AS
SELECT frame_id, do_frame_dur + draw_frame_dur AS estimated_cpu_time FROM _frame_work;

-- Time that frames cost, from the vsync on.
CREATE PERFETTO TABLE android_cpu_time_per_frame(
  -- Number of the frame (vsync id).
  frame_id LONG,
  -- Start of the actual minus start of the expected frame timeline, ns.
  app_vsync_delay LONG,
  -- Duration of doFrame, ns.
  do_frame_dur DURATION,
  -- Duration of all DrawFrame slices, ns.
  draw_frame_dur DURATION,
  -- Sum of the three, ns.
  cpu_time LONG
) AS
SELECT
  w.frame_id, d.app_vsync_delay, w.do_frame_dur, w.draw_frame_dur,
  d.app_vsync_delay + w.do_frame_dur + w.draw_frame_dur AS cpu_time
FROM _frame_work AS w
JOIN android_app_vsync_delay_per_frame AS d USING (frame_id)
ORDER BY w.frame_id;

-- CPU time of every frame: with the delay of the vsync where it is known.
CREATE PERFETTO TABLE _estimated_cpu_time_per_frame(
  -- Number of the frame (vsync id).
  frame_id LONG,
  -- Time, ns.
  cpu_time LONG
) AS
SELECT f.frame_id, coalesce(c.cpu_time, f.estimated_cpu_time) AS cpu_time
FROM _cpu_time_per_frame_fallback AS f
LEFT JOIN android_cpu_time_per_frame AS c USING (frame_id);

-- Times of frames and verdicts on them. A frame is slow if it cost more than 20 ms, janky by more
-- than 50 ms, hugely by more than 200 ms.
CREATE PERFETTO TABLE android_frame_stats(
  -- Number of the frame (vsync id).
  frame_id LONG,
  -- By how much the frame missed its deadline, ns; negative if in time.
  overrun LONG,
  -- Time that the frame cost, ns.
  cpu_time LONG,
  -- Time of the UI thread, ns.
  ui_time LONG,
  -- 1 if the frame missed its deadline.
  was_jank BOOL,
  -- 1 if the frame cost more than 20 ms; NULL if not.
  was_slow_frame BOOL,
  -- 1 if the frame cost more than 50 ms; NULL if not.
  was_big_jank BOOL,
  -- 1 if the frame cost more than 200 ms; NULL if not.
  was_huge_jank BOOL
) AS
SELECT
  e.frame_id, o.overrun, e.cpu_time, u.ui_time,
  iif(o.overrun > 0, 1, NULL) AS was_jank,
  iif(e.cpu_time > 20000000, 1, NULL) AS was_slow_frame,
  iif(e.cpu_time > 50000000, 1, NULL) AS was_big_jank,
  iif(e.cpu_time > 200000000, 1, NULL) AS was_huge_jank
FROM _estimated_cpu_time_per_frame AS e
LEFT JOIN android_frames_overrun AS o USING (frame_id)
LEFT JOIN android_frames_ui_time AS u USING (frame_id);
