-- Threads of the kernel, for a viewer.

INCLUDE PERFETTO MODULE linux.threads;

-- Threads of the kernel: upid, utid, pid, tid, process_name, thread_name, machine_id.
CREATE PERFETTO TABLE _kernel_threads AS
SELECT upid, utid, pid, tid, process_name, thread_name, machine_id
FROM linux_kernel_threads
ORDER BY utid;

-- Threads with their process: utid, upid, tid, pid, thread_name, is_main_thread, is_kernel_thread,
-- machine_id.
CREATE PERFETTO TABLE _threads_with_kernel_flag AS
SELECT
  t.utid, t.upid, t.tid, p.pid, t.name AS thread_name, t.is_main_thread,
  k.utid IS NOT NULL AS is_kernel_thread, t.machine_id
FROM thread AS t
LEFT JOIN process AS p USING (upid)
LEFT JOIN _kernel_threads AS k ON k.utid = t.utid
ORDER BY t.utid;
