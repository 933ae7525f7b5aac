-- Names of the states of threads.

-- Returns the name of a state of a thread, such as Runnable for R.
CREATE PERFETTO FUNCTION sched_state_to_human_readable_string(
  -- State, as in thread_state.
  short_name STRING
)
-- Name; unknown states are unchanged.
RETURNS STRING AS
SELECT CASE $short_name
  WHEN 'Running' THEN 'Running'
  WHEN 'R' THEN 'Runnable'
  WHEN 'R+' THEN 'Runnable (Preempted)'
  WHEN 'S' THEN 'Sleeping'
  WHEN 'D' THEN 'Uninterruptible Sleep'
  WHEN 'T' THEN 'Stopped'
  WHEN 't' THEN 'Traced'
  WHEN 'X' THEN 'Exit (Dead)'
  WHEN 'Z' THEN 'Exit (Zombie)'
  WHEN 'x' THEN 'Task Dead'
  WHEN 'I' THEN 'Idle'
  WHEN 'K' THEN 'Wakekill'
  WHEN 'W' THEN 'Waking'
  WHEN 'P' THEN 'Parked'
  WHEN 'N' THEN 'No Load'
  ELSE $short_name
END;

-- Returns the name of a state of a thread with the reason of waiting.
CREATE PERFETTO FUNCTION sched_state_io_to_human_readable_string(
  -- State, as in thread_state.
  sched_state STRING,
  -- Whether the thread waits for input or output; may be NULL.
  io_wait BOOL
)
-- Name, with (IO) or (non-IO) if that is known.
RETURNS STRING AS
SELECT
  coalesce(sched_state_to_human_readable_string($sched_state), '') ||
  CASE $io_wait WHEN 1 THEN ' (IO)' WHEN 0 THEN ' (non-IO)' ELSE '' END;
