-- Time from launches to their first frames.

INCLUDE PERFETTO MODULE android.frames.timeline;
INCLUDE PERFETTO MODULE android.startup.startups;
INCLUDE PERFETTO MODULE slices.with_context;

-- Launches with their processes.
CREATE PERFETTO VIEW _startups_with_upid AS
SELECT s.startup_id, s.ts, s.ts_end, s.dur, p.upid
FROM _android_startups_raw AS s
JOIN android_startup_processes AS p USING (startup_id);

-- First frame of each process of a launch: startup_id, upid, frame_id, ts_end.
CREATE PERFETTO TABLE _ttid AS
SELECT s.startup_id, s.upid, f.frame_id, s.ts, min(f.ts + f.dur) AS ts_end
FROM _startups_with_upid AS s
JOIN android_frames AS f ON f.upid = s.upid AND f.ts >= s.ts
WHERE f.draw_frame_id IS NOT NULL
GROUP BY s.startup_id, s.upid;

-- First frame after the application reported that it is fully drawn.
CREATE PERFETTO TABLE _ttfd AS
WITH reported AS (
  SELECT s.startup_id, s.upid, s.ts, min(r.ts) AS report_ts
  FROM _startups_with_upid AS s
  JOIN thread_or_process_slice AS r ON r.upid = s.upid AND r.ts >= s.ts
  WHERE r.name GLOB 'reportFullyDrawn*'
  GROUP BY s.startup_id, s.upid
)
SELECT r.startup_id, r.upid, f.frame_id, r.ts, min(f.ts + f.dur) AS ts_end
FROM reported AS r
JOIN android_frames AS f ON f.upid = r.upid AND f.ts + f.dur >= r.report_ts
GROUP BY r.startup_id, r.upid;

-- Time from each launch to its first frame and to its first complete frame.
CREATE PERFETTO TABLE android_startup_time_to_display(
  -- Launch.
  startup_id LONG,
  -- Time to the end of the first frame, ns.
  time_to_initial_display LONG,
  -- Time to the end of the first frame after the report "fully drawn", ns.
  time_to_full_display LONG,
  -- Number of the first frame.
  ttid_frame_id LONG,
  -- Number of the first complete frame.
  ttfd_frame_id LONG,
  -- Process.
  upid JOINID(process.id)
) AS
SELECT
  s.startup_id, i.ts_end - s.ts AS time_to_initial_display,
  f.ts_end - s.ts AS time_to_full_display, i.frame_id AS ttid_frame_id,
  f.frame_id AS ttfd_frame_id, s.upid
FROM _startups_with_upid AS s
LEFT JOIN _ttid AS i ON i.startup_id = s.startup_id AND i.upid = s.upid
LEFT JOIN _ttfd AS f ON f.startup_id = s.startup_id AND f.upid = s.upid
ORDER BY s.startup_id;
