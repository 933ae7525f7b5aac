-- Resident and swapped memory of processes.

-- Samples of one memory counter of processes as intervals.
CREATE PERFETTO MACRO _process_memory_intervals(
  -- Name of the counter.
  counter_name Expr
)
-- Rows ts, dur, upid, value.
RETURNS TableOrSubquery AS
(
  SELECT
    c.ts, lead(c.ts, 1, trace_end()) OVER (PARTITION BY t.id ORDER BY c.ts) - c.ts AS dur, t.upid,
    cast_int!(c.value) AS value
  FROM counter AS c
  JOIN process_counter_track AS t ON c.track_id = t.id
  WHERE t.name = $counter_name
);

-- Resident anonymous memory.
CREATE PERFETTO VIEW _anon_rss AS
SELECT ts, dur, upid, value AS anon_rss FROM _process_memory_intervals!('mem.rss.anon');

-- Resident memory of files.
CREATE PERFETTO VIEW _file_rss AS
SELECT ts, dur, upid, value AS file_rss FROM _process_memory_intervals!('mem.rss.file');

-- Resident shared memory.
CREATE PERFETTO VIEW _shmem_rss AS
SELECT ts, dur, upid, value AS shmem_rss FROM _process_memory_intervals!('mem.rss.shmem');

-- Swapped memory.
CREATE PERFETTO VIEW _swap AS
SELECT ts, dur, upid, value AS swap FROM _process_memory_intervals!('mem.swap');

-- One row for each time at which a counter of a process changed: ts, dur, upid, anon_rss, file_rss,
-- shmem_rss, swap; NULL until the first sample of a counter.
CREATE PERFETTO TABLE _memory_rss_and_swap_per_process_table AS
WITH sample AS (
  SELECT
    c.ts, t.upid,
    max(iif(t.name = 'mem.rss.anon', c.value, NULL)) AS anon_rss,
    max(iif(t.name = 'mem.rss.file', c.value, NULL)) AS file_rss,
    max(iif(t.name = 'mem.rss.shmem', c.value, NULL)) AS shmem_rss,
    max(iif(t.name = 'mem.swap', c.value, NULL)) AS swap
  FROM counter AS c
  JOIN process_counter_track AS t ON c.track_id = t.id
  WHERE t.name IN ('mem.rss.anon', 'mem.rss.file', 'mem.rss.shmem', 'mem.swap')
  GROUP BY t.upid, c.ts
),
filled AS (
  SELECT
    ts,
    lead(ts, 1, trace_end()) OVER so_far - ts AS dur,
    upid,
    cast_int!(last_non_null(anon_rss) OVER so_far) AS anon_rss,
    cast_int!(last_non_null(file_rss) OVER so_far) AS file_rss,
    cast_int!(last_non_null(shmem_rss) OVER so_far) AS shmem_rss,
    cast_int!(last_non_null(swap) OVER so_far) AS swap
  FROM sample
  WINDOW so_far AS (
    PARTITION BY upid ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  )
)
SELECT
  ts, dur, upid, anon_rss, file_rss, shmem_rss, swap,
  coalesce(anon_rss, 0) + coalesce(file_rss, 0) + coalesce(shmem_rss, 0) AS rss,
  coalesce(anon_rss, 0) + coalesce(swap, 0) AS anon_rss_and_swap
FROM filled;

-- Memory of processes as intervals between changes. A sum counts 0 for what was not sampled yet.
CREATE PERFETTO VIEW memory_rss_and_swap_per_process(
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Process.
  upid JOINID(process.id),
  -- Process number of the operating system.
  pid LONG,
  -- Name of the process.
  process_name STRING,
  -- Resident anonymous memory, bytes.
  anon_rss LONG,
  -- Resident memory of files, bytes.
  file_rss LONG,
  -- Resident shared memory, bytes.
  shmem_rss LONG,
  -- Resident memory, bytes.
  rss LONG,
  -- Swapped memory, bytes.
  swap LONG,
  -- Resident anonymous and swapped memory, bytes.
  anon_rss_and_swap LONG,
  -- Resident and swapped memory, bytes.
  rss_and_swap LONG
) AS
SELECT
  m.ts, m.dur, m.upid, p.pid, p.name AS process_name, m.anon_rss, m.file_rss, m.shmem_rss, m.rss,
  m.swap, m.anon_rss_and_swap, m.rss + coalesce(m.swap, 0) AS rss_and_swap
FROM _memory_rss_and_swap_per_process_table AS m
JOIN process AS p USING (upid);
