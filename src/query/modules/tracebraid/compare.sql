-- Two runs side by side: two processes, or the processes of two files of one trace.

INCLUDE PERFETTO MODULE slices.self_dur;
INCLUDE PERFETTO MODULE slices.with_context;

-- Name without numbers and addresses.
CREATE PERFETTO FUNCTION _compare_name(
  -- Name.
  name STRING
)
-- Name with <num> for numbers and addresses.
RETURNS STRING AS
SELECT regexp_replace_simple(
  regexp_replace_simple($name, '0x[0-9a-fA-F]+', '<num>'), ' #[0-9]+', ''
);

-- Names of slices without varying parts, each once.
CREATE PERFETTO TABLE _compare_slice_name AS
SELECT name, _compare_name(name) AS normalized
FROM (SELECT DISTINCT name FROM slice WHERE name IS NOT NULL);

-- Slices of threads and processes, by parent (-1 for the outermost ones): children are found by a
-- binary search.
CREATE PERFETTO TABLE _compare_source AS
SELECT
  coalesce(s.parent_id, -1) AS parent_id, s.id, s.dur, s.depth, s.upid, s.process_name,
  s.thread_name, n.normalized AS name
FROM thread_or_process_slice AS s
JOIN _compare_slice_name AS n ON n.name = s.name
ORDER BY 1, s.id;

-- Path of each slice: names from the outermost slice on, joined by ';'.
CREATE PERFETTO TABLE _compare_path AS
WITH RECURSIVE walk(id, path) AS (
  SELECT id, name FROM _compare_source WHERE parent_id = -1
  UNION ALL
  SELECT source.id, walk.path || ';' || source.name
  FROM walk CROSS JOIN _compare_source AS source ON source.parent_id = walk.id
)
SELECT id, path FROM walk ORDER BY id;

-- Closed slices with their path.
CREATE PERFETTO TABLE _compare_slice AS
SELECT
  s.id, s.upid, coalesce(s.process_name, '') AS process, coalesce(s.thread_name, '') AS thread,
  path.path, s.depth, s.dur, d.self_dur
FROM _compare_source AS s
JOIN _compare_path AS path ON path.id = s.id
JOIN slice_self_dur AS d ON d.id = s.id
WHERE s.dur != -1
ORDER BY s.id;

-- Sums of both sides by thread and path, and by process where that is wanted.
CREATE PERFETTO MACRO _compare_sides(
  -- Rows side ('a' or 'b'), process_key, process, thread, path, depth, dur, self_dur.
  slices TableOrSubquery
)
-- Rows key, process, thread, path, depth, count_a, count_b ... verdict.
RETURNS TableOrSubquery AS
(
  WITH _cmp AS (
    SELECT
      min(process) AS process, thread, path, min(depth) AS depth,
      sum(side = 'a') AS count_a, sum(side = 'b') AS count_b,
      sum(iif(side = 'a', dur, NULL)) AS total_a, sum(iif(side = 'b', dur, NULL)) AS total_b,
      sum(iif(side = 'a', self_dur, NULL)) AS self_a, sum(iif(side = 'b', self_dur, NULL)) AS self_b,
      percentile(iif(side = 'a', dur, NULL), 50) AS p50_a,
      percentile(iif(side = 'b', dur, NULL), 50) AS p50_b,
      percentile(iif(side = 'a', dur, NULL), 99) AS p99_a,
      percentile(iif(side = 'b', dur, NULL), 99) AS p99_b
    FROM $slices
    GROUP BY process_key, thread, path
  )
  SELECT
    process || '/' || thread || '/' || path AS key, process, thread, path, depth,
    nullif(count_a, 0) AS count_a, nullif(count_b, 0) AS count_b, total_a, total_b, self_a, self_b,
    p50_a, p50_b, p99_a, p99_b,
    (cast_double!(self_b) / count_b) / (cast_double!(self_a) / count_a) AS ratio,
    CASE
      WHEN count_a = 0 THEN 'new'
      WHEN count_b = 0 THEN 'gone'
      WHEN count_a != count_b THEN 'changed_count'
      ELSE 'same'
    END AS verdict
  FROM _cmp
);

-- Slices of two sets of processes side by side, by process, thread and path of names.
CREATE PERFETTO MACRO tracebraid_compare(
  -- Table with column upid: side A.
  processes_a TableOrSubquery,
  -- Table with column upid: side B.
  processes_b TableOrSubquery
)
-- Rows key, process, thread, path, depth, count_a, count_b, total_a, total_b, self_a, self_b, p50_a, p50_b, p99_a, p99_b (ns), ratio (mean self time of B by that of A), verdict (new, gone, changed_count or same).
RETURNS TableOrSubquery AS
(
  SELECT *
  FROM _compare_sides!((
    SELECT 'a' AS side, process AS process_key, process, thread, path, depth, dur, self_dur
    FROM _compare_slice
    WHERE upid IN (SELECT upid FROM $processes_a)
    UNION ALL
    SELECT 'b', process, process, thread, path, depth, dur, self_dur
    FROM _compare_slice
    WHERE upid IN (SELECT upid FROM $processes_b)
  ))
);

-- Slices of two processes side by side, by thread and path of names, largest difference of self
-- time first.
CREATE PERFETTO FUNCTION diff_slice(
  -- Process of side A.
  upid_a JOINID(process.id),
  -- Process of side B.
  upid_b JOINID(process.id)
)
RETURNS TABLE(
  -- Process, thread and path.
  key STRING,
  -- Name of the process; the first by name where both sides have the path.
  process STRING,
  -- Name of the thread.
  thread STRING,
  -- Names from the outermost slice on, joined by ';'.
  path STRING,
  -- Number of slices that contain the slice.
  depth LONG,
  -- Number of slices in A.
  count_a LONG,
  -- Number of slices in B.
  count_b LONG,
  -- Duration in A, ns.
  total_a LONG,
  -- Duration in B, ns.
  total_b LONG,
  -- Duration without children in A, ns.
  self_a LONG,
  -- Duration without children in B, ns.
  self_b LONG,
  -- Median duration in A, ns.
  p50_a DOUBLE,
  -- Median duration in B, ns.
  p50_b DOUBLE,
  -- 99th percentile of the duration in A, ns.
  p99_a DOUBLE,
  -- 99th percentile of the duration in B, ns.
  p99_b DOUBLE,
  -- Mean self time in B divided by that in A.
  ratio DOUBLE,
  -- new, gone, changed_count or same.
  verdict STRING
) AS
SELECT
  key, process, thread, path, depth, count_a, count_b, total_a, total_b, self_a, self_b, p50_a,
  p50_b, p99_a, p99_b, ratio, verdict
FROM _compare_sides!((
  SELECT 'a' AS side, 0 AS process_key, process, thread, path, depth, dur, self_dur
  FROM _compare_slice
  WHERE upid = $upid_a
  UNION ALL
  SELECT 'b', 0, process, thread, path, depth, dur, self_dur
  FROM _compare_slice
  WHERE upid = $upid_b
))
ORDER BY abs(coalesce(self_a, 0) - coalesce(self_b, 0)) DESC;
