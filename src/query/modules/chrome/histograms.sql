-- Samples of Chrome's histograms (UMA).

-- Samples that were recorded with the category disabled-by-default-histogram_samples.
CREATE PERFETTO TABLE chrome_histograms(
  -- Name of the histogram.
  name STRING,
  -- Sampled value.
  value LONG,
  -- Time, ns.
  ts TIMESTAMP,
  -- Name of the thread.
  thread_name STRING,
  -- Thread.
  utid LONG,
  -- Thread number of the operating system.
  tid LONG,
  -- Name of the process.
  process_name STRING,
  -- Process.
  upid LONG,
  -- Process number of the operating system.
  pid LONG
) AS
SELECT
  extract_arg(s.arg_set_id, 'chrome_histogram_sample.name') AS name,
  extract_arg(s.arg_set_id, 'chrome_histogram_sample.sample') AS value,
  s.ts, t.name AS thread_name, t.utid, t.tid, p.name AS process_name, p.upid, p.pid
FROM slice AS s
JOIN thread_track AS track ON track.id = s.track_id
JOIN thread AS t USING (utid)
LEFT JOIN process AS p USING (upid)
WHERE s.name = 'HistogramSample' OR s.category GLOB '*histogram_samples*'
ORDER BY s.ts;
