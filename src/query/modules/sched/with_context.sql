-- Intervals of sched with the names of thread and process.

-- Intervals in which a thread ran on a CPU, with thread and process.
CREATE PERFETTO VIEW sched_with_thread_process(
  -- Interval in sched.
  id ID(sched.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Thread.
  utid JOINID(thread.id),
  -- Process.
  upid JOINID(process.id),
  -- Name of the thread.
  thread_name STRING,
  -- Name of the process.
  process_name STRING,
  -- Number of the CPU on its machine.
  cpu LONG,
  -- State of the thread when it left the CPU; NULL if open or not known.
  end_state STRING,
  -- Kernel priority.
  priority LONG
) AS
SELECT
  sched.id, sched.ts, sched.dur, sched.utid, thread.upid, thread.name AS thread_name,
  process.name AS process_name, sched.cpu, sched.end_state, sched.priority
FROM sched
JOIN thread USING (utid)
LEFT JOIN process USING (upid);
