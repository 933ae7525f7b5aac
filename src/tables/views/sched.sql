-- Scheduling, kernel events and logs

-- Intervals in which a thread ran on a CPU; sched_slice with ts_end.
CREATE PERFETTO VIEW sched(
  -- Row number.
  id ID,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns; -1 if open.
  dur DURATION,
  -- Same as ucpu.
  cpu LONG,
  -- Row of thread.
  utid JOINID(thread.id),
  -- State of the thread when it left the CPU; NULL if open or not known.
  end_state STRING,
  -- Kernel priority.
  priority LONG,
  -- Row of cpu.
  ucpu JOINID(cpu.id),
  -- Duration, ns; -1 if open.
  ts_end TIMESTAMP
) AS
SELECT id, ts, dur, ucpu AS cpu, utid, end_state, priority, ucpu, ts + dur AS ts_end
FROM __intrinsic_sched_slice;

-- Log lines of Android.
CREATE PERFETTO VIEW android_logs(
  -- Row number.
  id ID,
  -- ns.
  ts TIMESTAMP,
  -- Row of thread.
  utid JOINID(thread.id),
  -- Priority.
  prio LONG,
  -- Tag.
  tag STRING,
  -- Message.
  msg STRING
) AS
SELECT id, ts, utid, prio, tag, msg FROM __intrinsic_logs WHERE log_source = 'android_logcat';
