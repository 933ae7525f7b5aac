-- CPU time and CPU cycles of slices.

INCLUDE PERFETTO MODULE intervals.intersect;
INCLUDE PERFETTO MODULE linux.cpu.utilization.slice;
INCLUDE PERFETTO MODULE slices.with_context;

-- Time that the thread of a slice spent on a CPU during the slice. Slices whose thread never ran,
-- open slices and slices of idle threads are not listed.
CREATE PERFETTO TABLE thread_slice_cpu_time(
  -- Slice.
  id ID(slice.id),
  -- Name of the slice.
  name STRING,
  -- Thread.
  utid JOINID(thread.id),
  -- Name of the thread.
  thread_name STRING,
  -- Process.
  upid JOINID(process.id),
  -- Name of the process.
  process_name STRING,
  -- Time on a CPU, ns.
  cpu_time LONG
) AS
WITH running AS (
  SELECT id_0 AS id, sum(dur) AS cpu_time
  FROM _interval_intersect!(
    (
      (SELECT id, ts, dur, utid FROM thread_slice WHERE utid > 0 AND dur > 0),
      (SELECT id, ts, dur, utid FROM sched WHERE dur > 0)
    ),
    (utid)
  )
  GROUP BY id_0
)
SELECT s.id, s.name, s.utid, s.thread_name, s.upid, s.process_name, running.cpu_time
FROM running
JOIN thread_slice AS s USING (id)
ORDER BY s.id;

-- CPU cycles that the thread of a slice used during the slice.
CREATE PERFETTO VIEW thread_slice_cpu_cycles(
  -- Slice.
  id ID(slice.id),
  -- Name of the slice.
  name STRING,
  -- Thread.
  utid JOINID(thread.id),
  -- Name of the thread.
  thread_name STRING,
  -- Process.
  upid JOINID(process.id),
  -- Name of the process.
  process_name STRING,
  -- CPU cycles in thousandths; NULL if the frequency is not known.
  millicycles LONG,
  -- CPU cycles in millions; NULL if the frequency is not known.
  megacycles LONG
) AS
SELECT id, name, utid, thread_name, upid, process_name, millicycles, megacycles
FROM cpu_cycles_per_thread_slice;
