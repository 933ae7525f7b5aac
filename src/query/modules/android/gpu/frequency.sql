-- Frequencies of GPUs.

INCLUDE PERFETTO MODULE counters.intervals;

-- Intervals in which a GPU had one frequency.
CREATE PERFETTO TABLE android_gpu_frequency(
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Number of the GPU.
  gpu_id LONG,
  -- Frequency, kHz.
  gpu_freq LONG,
  -- Frequency before, kHz.
  prev_gpu_freq LONG,
  -- Frequency after, kHz.
  next_gpu_freq LONG
) AS
SELECT
  i.ts, i.dur, t.gpu_id, cast_int!(i.value) AS gpu_freq,
  cast_int!(i.value - i.delta_value) AS prev_gpu_freq, cast_int!(i.next_value) AS next_gpu_freq
FROM counter_leading_intervals!((
  SELECT c.id, c.ts, c.track_id, c.value
  FROM counter AS c
  JOIN gpu_counter_track AS t ON c.track_id = t.id
  WHERE t.name = 'gpufreq'
)) AS i
JOIN gpu_counter_track AS t ON t.id = i.track_id
ORDER BY i.ts;
