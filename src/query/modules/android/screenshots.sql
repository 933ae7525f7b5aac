-- Screenshots in the trace.

-- Screenshots that the system took while it recorded.
CREATE PERFETTO VIEW android_screenshots(
  -- Slice.
  id LONG,
  -- Time, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Track.
  track_id JOINID(track.id),
  -- Category of the slice.
  category STRING,
  -- Name of the slice.
  name STRING,
  -- Args, which hold the picture.
  arg_set_id ARGSETID
) AS
SELECT s.id, s.ts, s.dur, s.track_id, s.category, s.name, s.arg_set_id
FROM slice AS s
JOIN process_track AS t ON t.id = s.track_id
WHERE t.name = 'Android screenshots' AND s.category = 'android_screenshot';
