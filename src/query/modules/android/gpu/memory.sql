-- Memory of GPUs.

INCLUDE PERFETTO MODULE counters.intervals;

-- Intervals of the GPU memory of processes.
CREATE PERFETTO TABLE android_gpu_memory_per_process(
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Process.
  upid JOINID(process.id),
  -- Memory, bytes.
  gpu_memory LONG
) AS
SELECT i.ts, i.dur, t.upid, cast_int!(i.value) AS gpu_memory
FROM counter_leading_intervals!((
  SELECT c.id, c.ts, c.track_id, c.value
  FROM counter AS c
  JOIN process_counter_track AS t ON c.track_id = t.id
  WHERE t.name = 'GPU Memory'
)) AS i
JOIN process_counter_track AS t ON t.id = i.track_id
ORDER BY i.ts;
