-- Which data each process has.

INCLUDE PERFETTO MODULE viz.summary.slices;
INCLUDE PERFETTO MODULE viz.summary.threads;

-- Slices of processes outside of threads: upid, slice_count.
CREATE PERFETTO TABLE _process_track_summary AS
SELECT t.upid, sum(s.cnt) AS slice_count
FROM _slice_track_summary AS s
JOIN process_track AS t USING (id)
GROUP BY t.upid
ORDER BY t.upid;

-- Native heap profiles of processes: upid, allocation_count.
CREATE PERFETTO TABLE _heap_profile_allocation_summary AS
SELECT upid, count(*) AS allocation_count
FROM heap_profile_allocation
GROUP BY upid
ORDER BY upid;

-- Heap dumps of processes: upid, graph_object_count.
CREATE PERFETTO TABLE _heap_profile_graph_summary AS
SELECT upid, count(*) AS graph_object_count
FROM heap_graph_object
GROUP BY upid
ORDER BY upid;

-- Sums over the threads of processes.
CREATE PERFETTO TABLE _thread_process_grouped_summary AS
SELECT
  t.upid, max(i.max_running_dur) AS max_running_dur, sum(i.sum_running_dur) AS sum_running_dur,
  sum(i.running_count) AS running_count, sum(i.slice_count) AS slice_count,
  sum(i.stack_sample_count) AS stack_sample_count
FROM _thread_available_info_summary AS i
JOIN thread AS t USING (utid)
WHERE t.upid IS NOT NULL
GROUP BY t.upid
ORDER BY t.upid;

-- Processes that have data: upid, thread_slice_count, process_slice_count, max_running_dur,
-- sum_running_dur, running_count, allocation_count, graph_object_count, stack_sample_count; 0 for
-- what a process does not have.
CREATE PERFETTO TABLE _process_available_info_summary AS
WITH wanted AS (
  SELECT upid FROM _process_track_summary
  UNION
  SELECT upid FROM _heap_profile_allocation_summary
  UNION
  SELECT upid FROM _heap_profile_graph_summary
  UNION
  SELECT upid FROM _thread_process_grouped_summary
  UNION
  SELECT upid FROM process_counter_track
)
SELECT
  w.upid,
  coalesce(t.slice_count, 0) AS thread_slice_count,
  coalesce(p.slice_count, 0) AS process_slice_count,
  coalesce(t.max_running_dur, 0) AS max_running_dur,
  coalesce(t.sum_running_dur, 0) AS sum_running_dur,
  coalesce(t.running_count, 0) AS running_count,
  coalesce(a.allocation_count, 0) AS allocation_count,
  coalesce(g.graph_object_count, 0) AS graph_object_count,
  coalesce(t.stack_sample_count, 0) AS stack_sample_count
FROM wanted AS w
LEFT JOIN _thread_process_grouped_summary AS t USING (upid)
LEFT JOIN _process_track_summary AS p USING (upid)
LEFT JOIN _heap_profile_allocation_summary AS a USING (upid)
LEFT JOIN _heap_profile_graph_summary AS g USING (upid)
ORDER BY w.upid;
