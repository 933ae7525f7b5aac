-- Which data each thread has.

INCLUDE PERFETTO MODULE viz.summary.slices;

-- CPU time of threads, without idle ones and open intervals.
CREATE PERFETTO TABLE _sched_summary AS
SELECT
  utid, max(dur) AS max_running_dur, sum(dur) AS sum_running_dur, count(*) AS running_count
FROM sched
WHERE dur != -1 AND utid NOT IN (SELECT utid FROM thread WHERE is_idle)
GROUP BY utid
ORDER BY utid;

-- Slices of threads: utid, slice_count.
CREATE PERFETTO TABLE _thread_track_summary AS
SELECT t.utid, sum(s.cnt) AS slice_count
FROM _slice_track_summary AS s
JOIN thread_track AS t USING (id)
GROUP BY t.utid
ORDER BY t.utid;

-- Callstack samples of threads: utid, stack_sample_count.
CREATE PERFETTO TABLE _stack_sample_summary AS
SELECT task.utid, count(*) AS stack_sample_count
FROM __intrinsic_profiler_sample AS s
JOIN __intrinsic_profiler_task_context AS task ON task.id = s.task_context_id
WHERE task.utid IS NOT NULL AND s.callsite_id IS NOT NULL
GROUP BY task.utid
ORDER BY task.utid;

-- Threads that have data: utid, max_running_dur, sum_running_dur, running_count, slice_count,
-- stack_sample_count; 0 for what a thread does not have.
CREATE PERFETTO TABLE _thread_available_info_summary AS
WITH wanted AS (
  SELECT utid FROM _sched_summary
  UNION
  SELECT utid FROM _thread_track_summary
  UNION
  SELECT utid FROM _stack_sample_summary
  UNION
  SELECT utid FROM thread_counter_track
)
SELECT
  w.utid,
  coalesce(r.max_running_dur, 0) AS max_running_dur,
  coalesce(r.sum_running_dur, 0) AS sum_running_dur,
  coalesce(r.running_count, 0) AS running_count,
  coalesce(s.slice_count, 0) AS slice_count,
  coalesce(p.stack_sample_count, 0) AS stack_sample_count
FROM wanted AS w
LEFT JOIN _sched_summary AS r USING (utid)
LEFT JOIN _thread_track_summary AS s USING (utid)
LEFT JOIN _stack_sample_summary AS p USING (utid)
ORDER BY w.utid;
