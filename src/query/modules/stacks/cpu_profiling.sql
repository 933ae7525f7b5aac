-- CPU samples of every profiler and their call tree.

INCLUDE PERFETTO MODULE callstacks.stack_profile;

-- Samples of callstacks that profilers took while threads used the CPU: by time, cycles or
-- instructions.
CREATE PERFETTO TABLE cpu_profiling_samples(
  -- Row of stack_sample.
  id LONG,
  -- Time, ns.
  ts TIMESTAMP,
  -- Thread.
  utid JOINID(thread.id),
  -- Thread number of the operating system.
  tid LONG,
  -- Name of the thread.
  thread_name STRING,
  -- CPU.
  ucpu LONG,
  -- Number of the CPU on its machine.
  cpu LONG,
  -- Innermost frame of the callstack.
  callsite_id LONG,
  -- Profiler that took the sample.
  source STRING
) AS
SELECT
  s.id, s.ts, task.utid, t.tid, t.name AS thread_name, execution.ucpu, cpu.cpu, s.callsite_id,
  s.source
FROM stack_sample AS s
JOIN stack_sample_session AS session ON session.id = s.session_id
LEFT JOIN stack_sample_task_context AS task ON task.id = s.task_context_id
LEFT JOIN thread AS t ON t.utid = task.utid
LEFT JOIN stack_sample_execution_context AS execution ON execution.id = s.execution_context_id
LEFT JOIN cpu ON cpu.ucpu = execution.ucpu
WHERE session.timebase_unit IS NULL
  OR session.timebase_unit IN ('ns', 'cycles', 'instructions')
ORDER BY s.ts;

-- Nodes of the call tree without sums.
CREATE PERFETTO TABLE _cpu_profiling_self_callsites AS
SELECT *
FROM _callstacks_for_callsites!((SELECT callsite_id FROM cpu_profiling_samples)) AS c
ORDER BY c.id;

-- The call tree of cpu_profiling_samples.
CREATE PERFETTO TABLE cpu_profiling_summary_tree(
  -- Node.
  id LONG,
  -- Caller.
  parent_id LONG,
  -- Name of the function.
  name STRING,
  -- Binary or library of the frame.
  mapping_name STRING,
  -- Source file, if known.
  source_file STRING,
  -- Line in the source file, if known.
  line_number LONG,
  -- Number of samples in the frame itself.
  self_count LONG,
  -- Number of samples in the frame and in those it calls.
  cumulative_count LONG
) AS
SELECT
  c.id, c.parent_id, c.name, c.mapping_name, c.source_file, c.line_number, c.self_count,
  total.cumulative_count
FROM _callstacks_self_to_cumulative!(
  (SELECT id, parent_id, self_count FROM _cpu_profiling_self_callsites)
) AS total
JOIN _cpu_profiling_self_callsites AS c USING (id)
ORDER BY c.id;
