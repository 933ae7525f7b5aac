-- Threads of Android: names and bursts of new threads.

-- Name of a thread without the numbers that thread pools append.
CREATE PERFETTO FUNCTION android_standardize_thread_name(
  -- Name of the thread.
  thread_name STRING
)
-- Name for grouping.
RETURNS STRING AS
SELECT regexp_replace_simple(
  regexp_replace_simple($thread_name, '[-_.# ]*[0-9]+$', ''), '[0-9]+', '<num>'
);

-- Threads that lived for a short time: utid, upid, ts, name.
CREATE PERFETTO TABLE _short_lived_thread AS
SELECT
  t.utid, t.upid, p.name AS process_name, android_standardize_thread_name(t.name) AS prefix,
  t.start_ts AS ts, t.end_ts - t.start_ts AS dur
FROM thread AS t
LEFT JOIN process AS p USING (upid)
WHERE t.start_ts IS NOT NULL AND t.end_ts IS NOT NULL
ORDER BY t.start_ts;

-- Processes that started many threads of one name within a short time.
CREATE PERFETTO FUNCTION _android_thread_creation_spam_per_thread(
  -- Longest life of the threads that count, ns.
  max_thread_dur DOUBLE,
  -- Length of the time in which threads are counted, ns.
  sliding_window_dur DOUBLE
)
RETURNS TABLE(
  -- Name of the process.
  process_name STRING,
  -- Process.
  upid JOINID(process.id),
  -- Name of the threads without numbers.
  thread_name_prefix STRING,
  -- Largest number of threads in such a time.
  max_count_per_sec LONG
) AS
WITH counted AS (
  SELECT
    process_name, upid, prefix,
    count(*) OVER (
      PARTITION BY upid, prefix ORDER BY ts
      RANGE BETWEEN CURRENT ROW AND 1000000000 FOLLOWING
    ) AS count_per_sec
  FROM _short_lived_thread
  WHERE dur <= $max_thread_dur AND $sliding_window_dur > 0
)
SELECT
  process_name, upid, prefix AS thread_name_prefix, max(count_per_sec) AS max_count_per_sec
FROM counted
GROUP BY upid, prefix
HAVING max(count_per_sec) > 0
ORDER BY max_count_per_sec DESC;

-- Processes that started many threads within a short time.
CREATE PERFETTO FUNCTION _android_thread_creation_spam_per_process(
  -- Longest life of the threads that count, ns.
  max_thread_dur DOUBLE,
  -- Length of the time in which threads are counted, ns.
  sliding_window_dur DOUBLE
)
RETURNS TABLE(
  -- Name of the process.
  process_name STRING,
  -- Process.
  upid JOINID(process.id),
  -- Largest number of threads in such a time.
  max_count_per_sec LONG
) AS
WITH counted AS (
  SELECT
    process_name, upid,
    count(*) OVER (
      PARTITION BY upid ORDER BY ts RANGE BETWEEN CURRENT ROW AND 1000000000 FOLLOWING
    ) AS count_per_sec
  FROM _short_lived_thread
  WHERE dur <= $max_thread_dur AND $sliding_window_dur > 0
)
SELECT process_name, upid, max(count_per_sec) AS max_count_per_sec
FROM counted
GROUP BY upid
HAVING max(count_per_sec) > 0
ORDER BY max_count_per_sec DESC;
