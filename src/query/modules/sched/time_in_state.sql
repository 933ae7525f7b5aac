-- Time that threads and CPUs spent in each scheduling state.

-- Time of each thread in each state. Open states count -1.
CREATE PERFETTO TABLE sched_time_in_state_for_thread(
  -- Thread.
  utid JOINID(thread.id),
  -- Time of the thread in all states, ns.
  total_runtime LONG,
  -- Scheduling state of the thread.
  state STRING,
  -- Time in this state, ns.
  time_in_state LONG,
  -- Whole percent of total_runtime.
  percentage_in_state LONG
) AS
WITH by_state AS (
  SELECT utid, state, sum(dur) AS time_in_state FROM thread_state GROUP BY utid, state
),
total AS (
  SELECT utid, sum(time_in_state) AS total_runtime FROM by_state GROUP BY utid
)
SELECT
  b.utid, total.total_runtime, b.state, b.time_in_state,
  b.time_in_state * 100 / total.total_runtime AS percentage_in_state
FROM by_state AS b
JOIN total USING (utid);

-- Group of a state in sched_percentage_of_time_in_state.
CREATE PERFETTO MACRO _case_for_state(
  -- State of thread_state.
  state Expr
)
-- Expression that gives the name of the group.
RETURNS Expr AS
CASE $state
  WHEN 'Running' THEN 'running'
  WHEN 'R' THEN 'runnable'
  WHEN 'R+' THEN 'runnable_preempted'
  WHEN 'S' THEN 'sleeping'
  WHEN 'D' THEN 'uninterruptible_sleep'
  ELSE 'other'
END;

-- Percentages of sched_time_in_state_for_thread side by side; NULL for states that did not occur.
CREATE PERFETTO TABLE sched_percentage_of_time_in_state(
  -- Thread.
  utid JOINID(thread.id),
  -- Percent of time on a CPU.
  running LONG,
  -- Percent of time waiting for a CPU after a wakeup.
  runnable LONG,
  -- Percent of time waiting for a CPU after a preemption.
  runnable_preempted LONG,
  -- Percent of time in interruptible sleep.
  sleeping LONG,
  -- Percent of time in uninterruptible sleep.
  uninterruptible_sleep LONG,
  -- Percent of time in other states.
  other LONG
) AS
WITH grouped AS (
  SELECT utid, _case_for_state!(state) AS kind, percentage_in_state AS percent
  FROM sched_time_in_state_for_thread
)
SELECT
  utid,
  sum(iif(kind = 'running', percent, NULL)) AS running,
  sum(iif(kind = 'runnable', percent, NULL)) AS runnable,
  sum(iif(kind = 'runnable_preempted', percent, NULL)) AS runnable_preempted,
  sum(iif(kind = 'sleeping', percent, NULL)) AS sleeping,
  sum(iif(kind = 'uninterruptible_sleep', percent, NULL)) AS uninterruptible_sleep,
  sum(iif(kind = 'other', percent, NULL)) AS other
FROM grouped
GROUP BY utid;

-- Time of a thread in each state during an interval, longest first.
CREATE PERFETTO FUNCTION sched_time_in_state_for_thread_in_interval(
  -- Start of the interval, ns.
  ts TIMESTAMP,
  -- Time in the state, ns.
  dur DURATION,
  -- Thread.
  utid JOINID(thread.id)
)
RETURNS TABLE(
  -- Scheduling state of the thread.
  state STRING,
  -- 1 if the thread waited for I/O.
  io_wait BOOL,
  -- Kernel function in which the thread waited.
  blocked_function LONG,
  -- Time in the state, ns.
  dur DURATION
) AS
SELECT
  state, io_wait, blocked_function, sum(min(ts + dur, $ts + $dur) - max(ts, $ts)) AS dur
FROM thread_state
WHERE utid = $utid AND ts < $ts + $dur AND ts + dur > $ts
GROUP BY state, io_wait, blocked_function
ORDER BY dur DESC;

-- Time of a thread in each state and on each CPU during an interval, longest first.
CREATE PERFETTO FUNCTION sched_time_in_state_and_cpu_for_thread_in_interval(
  -- Start of the interval, ns.
  ts TIMESTAMP,
  -- Time in the state, ns.
  dur DURATION,
  -- Thread.
  utid JOINID(thread.id)
)
RETURNS TABLE(
  -- Scheduling state of the thread.
  state STRING,
  -- 1 if the thread waited for I/O.
  io_wait BOOL,
  -- Number of the CPU on its machine.
  cpu LONG,
  -- Kernel function in which the thread waited.
  blocked_function LONG,
  -- Time in the state, ns.
  dur DURATION
) AS
SELECT
  state, io_wait, cpu, blocked_function, sum(min(ts + dur, $ts + $dur) - max(ts, $ts)) AS dur
FROM thread_state
WHERE utid = $utid AND ts < $ts + $dur AND ts + dur > $ts
GROUP BY state, io_wait, cpu, blocked_function
ORDER BY dur DESC;

-- Time of a CPU during an interval, by the state in which the threads left it.
CREATE PERFETTO FUNCTION sched_time_in_state_for_cpu_in_interval(
  -- CPU.
  cpu LONG,
  -- Start of the interval, ns.
  ts TIMESTAMP,
  -- Time on the CPU, ns.
  dur LONG
)
RETURNS TABLE(
  -- State of the thread when it left the CPU; NULL if open or not known.
  end_state STRING,
  -- Time on the CPU, ns.
  dur LONG
) AS
SELECT end_state, sum(min(ts + dur, $ts + $dur) - max(ts, $ts)) AS dur
FROM sched
WHERE cpu = $cpu AND ts < $ts + $dur AND ts + dur > $ts
GROUP BY end_state;
