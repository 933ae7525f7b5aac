-- Intervals between vertical syncs that Chrome saw.

-- Vertical syncs, with the time until the next one.
CREATE PERFETTO TABLE chrome_vsync_intervals(
  -- Slice of the vertical sync.
  slice_id JOINID(slice.id),
  -- Time, ns.
  ts TIMESTAMP,
  -- Duration of the slice, ns.
  dur DURATION,
  -- Track.
  track_id JOINID(track.id),
  -- Time until the next one of the track, ns; NULL for the last.
  time_to_next_vsync LONG
) AS
SELECT
  id AS slice_id, ts, dur, track_id,
  lead(ts) OVER (PARTITION BY track_id ORDER BY ts) - ts AS time_to_next_vsync
FROM slice
WHERE name = 'Extend_VSync' OR (name = 'VSYNC' AND dur >= 0)
ORDER BY track_id, ts;

-- The mean interval between vertical syncs in a time range.
CREATE PERFETTO FUNCTION chrome_calculate_avg_vsync_interval(
  -- Start, ns.
  begin_ts TIMESTAMP,
  -- End, ns.
  end_ts TIMESTAMP
)
-- Interval, ns; NULL without vertical syncs.
RETURNS DOUBLE AS
SELECT avg(time_to_next_vsync)
FROM chrome_vsync_intervals
WHERE ts >= $begin_ts AND ts < $end_ts AND time_to_next_vsync IS NOT NULL;
