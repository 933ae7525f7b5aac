-- Callstacks and samples

-- Recordings of Linux perf.
CREATE PERFETTO VIEW perf_session(
  -- Row number.
  id ID,
  -- Row of perf_session.
  perf_session_id JOINID(perf_session.id),
  -- Command line of the recorder.
  cmdline STRING
) AS
SELECT id, id AS perf_session_id, cmdline
FROM __intrinsic_profiler_session WHERE source = 'linux.perf';

-- Samples of Linux perf.
CREATE PERFETTO VIEW perf_sample(
  -- Row number.
  id ID,
  -- ns.
  ts TIMESTAMP,
  -- Row of thread.
  utid JOINID(thread.id),
  -- Number of the CPU on its machine.
  cpu LONG,
  -- user, kernel ...
  cpu_mode STRING,
  -- Row of stack_profile_callsite.
  callsite_id JOINID(stack_profile_callsite.id),
  -- Why the callstack is incomplete.
  unwind_error STRING,
  -- Row of perf_session.
  perf_session_id JOINID(perf_session.id)
) AS
SELECT s.id, s.ts, task.utid, cpu.cpu, coalesce(execution.cpu_mode, 'unknown') AS cpu_mode,
  s.callsite_id, s.unwind_error, s.session_id AS perf_session_id
FROM __intrinsic_profiler_sample AS s
LEFT JOIN __intrinsic_profiler_task_context AS task ON task.id = s.task_context_id
LEFT JOIN __intrinsic_profiler_execution_context AS execution
  ON execution.id = s.execution_context_id
LEFT JOIN __intrinsic_cpu AS cpu ON cpu.id = execution.ucpu
WHERE s.source = 'linux.perf';

-- Samples of CPU profilers.
CREATE PERFETTO VIEW cpu_profile_stack_sample(
  -- Row number.
  id ID,
  -- ns.
  ts TIMESTAMP,
  -- Row of stack_profile_callsite.
  callsite_id JOINID(stack_profile_callsite.id),
  -- Row of thread.
  utid JOINID(thread.id),
  -- Priority of the process; 0 if not known.
  process_priority LONG
) AS
-- Sources of the reference first, then those of formats that it does not read.
SELECT s.id, s.ts, s.callsite_id, task.utid,
  coalesce(extra.process_priority, 0) AS process_priority
FROM __intrinsic_profiler_sample AS s
LEFT JOIN __intrinsic_profiler_task_context AS task ON task.id = s.task_context_id
LEFT JOIN __intrinsic_chrome_stack_sample_extras AS extra ON extra.profiler_sample_id = s.id
WHERE s.source IN ('chrome', 'legacy_v8', 'gecko', 'simpleperf', 'perf_text', 'instruments', 'P',
  'samples', 'v8_sample', 'cpuprofile', 'speedscope');

-- Samples of Instruments.
CREATE PERFETTO VIEW instruments_sample(
  -- Row number.
  id ID,
  -- ns.
  ts TIMESTAMP,
  -- Row of thread.
  utid JOINID(thread.id),
  -- Row of stack_profile_callsite.
  callsite_id JOINID(stack_profile_callsite.id),
  -- Number of the CPU on its machine.
  cpu LONG
) AS
SELECT s.id, s.ts, task.utid, s.callsite_id, cpu.cpu
FROM __intrinsic_profiler_sample AS s
LEFT JOIN __intrinsic_profiler_task_context AS task ON task.id = s.task_context_id
LEFT JOIN __intrinsic_profiler_execution_context AS execution
  ON execution.id = s.execution_context_id
LEFT JOIN __intrinsic_cpu AS cpu ON cpu.id = execution.ucpu
WHERE s.source = 'instruments';

-- Samples with a callstack, of any profiler.
CREATE PERFETTO VIEW stack_sample(
  -- Row number.
  id ID,
  -- ns.
  ts TIMESTAMP,
  -- Profiler that took the sample: linux.perf, gecko ...
  source STRING,
  -- Row of stack_sample_task_context.
  task_context_id JOINID(stack_sample_task_context.id),
  -- Row of stack_sample_execution_context.
  execution_context_id JOINID(stack_sample_execution_context.id),
  -- Row of stack_profile_callsite.
  callsite_id JOINID(stack_profile_callsite.id),
  -- Row of stack_sample_session.
  session_id JOINID(stack_sample_session.id)
) AS
SELECT id, ts, source, task_context_id, execution_context_id, callsite_id, session_id
FROM __intrinsic_profiler_sample WHERE callsite_id IS NOT NULL;

-- Recordings of samples with callstacks.
CREATE PERFETTO VIEW stack_sample_session(
  -- Row number.
  id ID,
  -- Profiler that took the samples.
  source STRING,
  -- Unit of the weight of a sample: cycles, ns ...
  timebase_unit STRING,
  -- Command line of the recorder.
  cmdline STRING
) AS
SELECT id, source, timebase_unit, cmdline FROM __intrinsic_profiler_session
WHERE id IN (SELECT session_id FROM stack_sample);

-- Threads, processes and tasks of samples with callstacks.
CREATE PERFETTO VIEW stack_sample_task_context(
  -- Row number.
  id ID,
  -- Row of process.
  upid JOINID(process.id),
  -- Row of thread.
  utid JOINID(thread.id),
  -- Row of stack_sample_async_context.
  async_context_id JOINID(stack_sample_async_context.id)
) AS
SELECT id, upid, utid, async_context_id FROM __intrinsic_profiler_task_context
WHERE id IN (SELECT task_context_id FROM stack_sample);

-- CPUs and modes of samples with callstacks.
CREATE PERFETTO VIEW stack_sample_execution_context(
  -- Row number.
  id ID,
  -- Row of cpu.
  ucpu JOINID(cpu.id),
  -- user, kernel ...
  cpu_mode STRING
) AS
SELECT id, ucpu, cpu_mode FROM __intrinsic_profiler_execution_context
WHERE id IN (SELECT execution_context_id FROM stack_sample);

-- Tasks of samples with callstacks, and their parents.
CREATE PERFETTO VIEW stack_sample_async_context(
  -- Row number.
  id ID,
  -- Name.
  name STRING,
  -- Kind.
  kind STRING,
  -- Row of stack_sample_async_context.
  parent_id JOINID(stack_sample_async_context.id)
) AS
WITH RECURSIVE used(id) AS (
  SELECT async_context_id FROM stack_sample_task_context WHERE async_context_id IS NOT NULL
  UNION
  SELECT c.parent_id FROM __intrinsic_profiler_async_context AS c JOIN used USING (id)
  WHERE c.parent_id IS NOT NULL)
SELECT id, name, kind, parent_id FROM __intrinsic_profiler_async_context
WHERE id IN (SELECT id FROM used);

-- Values of counters that were read with samples.
CREATE PERFETTO VIEW stack_sample_counter(
  -- Row number.
  id ID,
  -- Row of stack_sample.
  stack_sample_id JOINID(stack_sample.id),
  -- Row of stack_sample_counter_track.
  track_id JOINID(stack_sample_counter_track.id),
  -- Value of the counter.
  value DOUBLE
) AS
SELECT c.id, s.id AS stack_sample_id, c.track_id, c.value
FROM stack_sample AS s
JOIN __intrinsic_profiler_sample AS raw ON raw.id = s.id
JOIN __intrinsic_profiler_counter_set AS of_set ON of_set.counter_set_id = raw.counter_set_id
JOIN __intrinsic_counter AS c ON c.id = of_set.counter_id;

-- Tracks of counters that were read with samples.
CREATE PERFETTO VIEW stack_sample_counter_track(
  -- Row number.
  id ID,
  -- Display name.
  name STRING,
  -- Type of the track.
  type STRING,
  -- Row of track.
  parent_id JOINID(track.id),
  -- Args about the source of the track.
  source_arg_set_id ARGSETID,
  -- Row of machine.
  machine_id JOINID(machine.id),
  -- Unit of the counter.
  unit STRING,
  -- Description of the counter.
  description STRING,
  -- Row of stack_sample_session.
  session_id JOINID(stack_sample_session.id),
  -- Number of the CPU on its machine.
  cpu LONG,
  -- 1 if samples were taken by this counter.
  is_timebase BOOL
) AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, unit, description,
  coalesce(extract_arg(dimension_arg_set_id, 'session_id'),
    extract_arg(dimension_arg_set_id, 'perf_session_id')) AS session_id,
  extract_arg(dimension_arg_set_id, 'cpu') AS cpu,
  extract_arg(source_arg_set_id, 'is_timebase') AS is_timebase
FROM counter_track WHERE id IN (SELECT track_id FROM stack_sample_counter);
