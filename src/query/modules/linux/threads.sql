-- Threads of the kernel.

-- Threads of kthreadd (process 2) and of the processes that it started.
CREATE PERFETTO TABLE linux_kernel_threads(
  -- Process.
  upid JOINID(process.id),
  -- Thread.
  utid JOINID(thread.id),
  -- Process number of the operating system.
  pid LONG,
  -- Thread number of the operating system.
  tid LONG,
  -- Name of the process.
  process_name STRING,
  -- Name of the thread.
  thread_name STRING,
  -- Machine; NULL for the host.
  machine_id JOINID(machine.id)
) AS
SELECT
  t.upid, t.utid, p.pid, t.tid, p.name AS process_name, t.name AS thread_name, t.machine_id
FROM thread AS t
JOIN process AS p USING (upid)
LEFT JOIN process AS parent ON parent.upid = p.parent_upid
WHERE p.pid = 2 OR parent.pid = 2;
