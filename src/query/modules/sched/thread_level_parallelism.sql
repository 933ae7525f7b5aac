-- Number of threads and CPUs in use over time.

INCLUDE PERFETTO MODULE intervals.overlap;

-- Number of threads that wait for a CPU.
CREATE PERFETTO TABLE sched_runnable_thread_count(
  -- Time from which the count holds, ns.
  ts TIMESTAMP,
  -- Number of runnable threads.
  runnable_thread_count LONG
) AS
SELECT ts, value AS runnable_thread_count
FROM intervals_overlap_count!((SELECT ts, dur FROM thread_state WHERE state = 'R'), ts, dur)
ORDER BY ts;

-- Number of threads in uninterruptible sleep.
CREATE PERFETTO TABLE sched_uninterruptible_sleep_thread_count(
  -- Time from which the count holds, ns.
  ts TIMESTAMP,
  -- Number of threads in uninterruptible sleep.
  uninterruptible_sleep_thread_count LONG
) AS
SELECT ts, value AS uninterruptible_sleep_thread_count
FROM intervals_overlap_count!((SELECT ts, dur FROM thread_state WHERE state = 'D'), ts, dur)
ORDER BY ts;

-- Number of CPUs that run a thread other than an idle one.
CREATE PERFETTO TABLE sched_active_cpu_count(
  -- Time from which the count holds, ns.
  ts TIMESTAMP,
  -- Number of busy CPUs.
  active_cpu_count LONG
) AS
WITH busy AS (
  SELECT ts, dur FROM sched WHERE utid NOT IN (SELECT utid FROM thread WHERE is_idle)
)
SELECT ts, value AS active_cpu_count
FROM intervals_overlap_count!(busy, ts, dur)
ORDER BY ts;
