-- Input and output of the file system f2fs.

-- Statistics of each counter of f2fs: name, sum, max, min, dur, count, avg.
-- Statistics of each counter of f2fs.
CREATE PERFETTO VIEW _android_io_f2fs_counter_stats(
  -- Name of the counter.
  name STRING,
  -- Sum of the values.
  sum DOUBLE,
  -- Highest value.
  max DOUBLE,
  -- Lowest value.
  min DOUBLE,
  -- Time from the first to the last sample, ns.
  dur DURATION,
  -- Number of samples.
  count LONG,
  -- Mean value.
  avg DOUBLE
) AS
SELECT
  t.name, sum(c.value) AS sum, max(c.value) AS max, min(c.value) AS min,
  max(c.ts) - min(c.ts) AS dur, count(*) AS count, avg(c.value) AS avg
FROM counter AS c
JOIN counter_track AS t ON c.track_id = t.id
WHERE t.name GLOB '*f2fs*'
GROUP BY t.name
ORDER BY sum DESC;

-- Writes of f2fs: utid, dev, ino, bytes.
CREATE PERFETTO TABLE _f2fs_write AS
SELECT
  e.utid, extract_arg(e.arg_set_id, 'dev') AS dev, extract_arg(e.arg_set_id, 'ino') AS ino,
  extract_arg(e.arg_set_id, 'copied') AS copied
FROM ftrace_event AS e
WHERE e.name = 'f2fs_write_end';

-- Writes of each thread to each file of f2fs.
CREATE PERFETTO VIEW _android_io_f2fs_write_stats(
  -- Thread.
  utid JOINID(thread.id),
  -- Thread number of the operating system.
  tid LONG,
  -- Name of the thread.
  thread_name STRING,
  -- Process.
  upid JOINID(process.id),
  -- Process number of the operating system.
  pid LONG,
  -- Name of the process.
  process_name STRING,
  -- Inode.
  ino LONG,
  -- Device.
  dev LONG,
  -- Written bytes.
  bytes LONG,
  -- Number of writes.
  write_count LONG
) AS
SELECT
  w.utid, t.tid, t.name AS thread_name, p.upid, p.pid, p.name AS process_name, w.ino, w.dev,
  sum(w.copied) AS bytes, count(*) AS write_count
FROM _f2fs_write AS w
JOIN thread AS t USING (utid)
LEFT JOIN process AS p USING (upid)
GROUP BY w.utid, w.ino, w.dev
ORDER BY bytes DESC;

-- Writes to f2fs altogether; one row.
CREATE PERFETTO VIEW _android_io_f2fs_aggregate_write_stats(
  -- Number of writes.
  total_write_count LONG,
  -- Number of processes that wrote.
  distinct_processes LONG,
  -- Written bytes.
  total_bytes_written LONG,
  -- Number of devices.
  distinct_device_count LONG,
  -- Number of files.
  distinct_inode_count LONG,
  -- Number of threads that wrote.
  distinct_thread_count LONG
) AS
SELECT
  sum(write_count) AS total_write_count, count(DISTINCT upid) AS distinct_processes,
  sum(bytes) AS total_bytes_written, count(DISTINCT dev) AS distinct_device_count,
  count(DISTINCT ino) AS distinct_inode_count, count(DISTINCT utid) AS distinct_thread_count
FROM _android_io_f2fs_write_stats;
