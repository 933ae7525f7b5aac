-- Threads with the names of their processes.

-- Threads: utid, tid, thread_name, is_main_thread, upid, pid, process_name.
CREATE PERFETTO TABLE _thread_with_process AS
SELECT
  t.utid, t.tid, t.name AS thread_name, t.is_main_thread, t.upid, p.pid, p.name AS process_name
FROM thread AS t
LEFT JOIN process AS p USING (upid)
ORDER BY t.utid;
