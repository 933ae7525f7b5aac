-- Bitmaps of applications: memory and number.

INCLUDE PERFETTO MODULE counters.intervals;

-- Samples of the counters "Bitmap Memory" and "Bitmap Count" as intervals.
CREATE PERFETTO TABLE android_bitmap_metric(
  -- Sample.
  id JOINID(counter.id),
  -- Time, ns.
  ts TIMESTAMP,
  -- Time until the next sample, ns.
  dur DURATION,
  -- Track.
  track_id JOINID(track.id),
  -- Process.
  upid JOINID(process.id),
  -- Name of the process.
  process_name STRING,
  -- Bitmap Memory or Bitmap Count.
  counter_name STRING,
  -- Bytes, or number of bitmaps.
  value DOUBLE
) AS
SELECT
  c.id, c.ts, c.dur, c.track_id, t.upid, p.name AS process_name, t.name AS counter_name, c.value
FROM counter_leading_intervals!(
  (
    SELECT c.id, c.ts, c.track_id, c.value
    FROM counter AS c
    JOIN process_counter_track AS t ON t.id = c.track_id
    WHERE t.name IN ('Bitmap Memory', 'Bitmap Count')
  )
) AS c
JOIN process_counter_track AS t ON t.id = c.track_id
JOIN process AS p USING (upid)
ORDER BY c.id;

-- Samples of both counters of a process side by side.
CREATE PERFETTO VIEW android_bitmap_counters_per_process(
  -- Process.
  upid JOINID(process.id),
  -- Name of the process.
  process_name STRING,
  -- Time, ns.
  ts TIMESTAMP,
  -- Time until the next sample of the counter, ns.
  dur DURATION,
  -- Memory of bitmaps, bytes; NULL if the sample is of the number.
  bitmap_memory DOUBLE,
  -- Number of bitmaps; NULL if the sample is of the memory.
  bitmap_count DOUBLE
) AS
SELECT
  upid, process_name, ts, dur,
  iif(counter_name = 'Bitmap Memory', value, NULL) AS bitmap_memory,
  iif(counter_name = 'Bitmap Count', value, NULL) AS bitmap_count
FROM android_bitmap_metric;
