-- Time that threads waited for a CPU.

INCLUDE PERFETTO MODULE sched.runnable;

-- Running states with the interval of sched that they stand for: thread_state_id, sched_id, utid.
CREATE PERFETTO VIEW _sched_with_thread_state_join AS
SELECT t.id AS thread_state_id, s.id AS sched_id, t.utid
FROM thread_state AS t
JOIN sched AS s USING (utid, ts, dur)
WHERE t.state = 'Running';

-- Time that a thread was runnable before each interval in which it ran.
CREATE PERFETTO TABLE sched_latency_for_running_interval(
  -- Running state.
  thread_state_id JOINID(thread_state.id),
  -- The same interval in sched.
  sched_id JOINID(sched.id),
  -- Thread.
  utid JOINID(thread.id),
  -- Runnable state before it.
  runnable_latency_id JOINID(thread_state.id),
  -- Duration of the runnable state, ns.
  latency_dur LONG
) AS
SELECT
  r.id AS thread_state_id, j.sched_id, j.utid, r.prev_runnable_id AS runnable_latency_id,
  p.dur AS latency_dur
FROM sched_previous_runnable_on_thread AS r
JOIN thread_state AS p ON p.id = r.prev_runnable_id
JOIN _sched_with_thread_state_join AS j ON j.thread_state_id = r.id;
