-- Counter values of samples of Linux perf.

-- Samples with each of their counter values: one row for each sample and counter.
CREATE PERFETTO VIEW linux_perf_sample_with_counters(
  -- Sample.
  sample_id JOINID(perf_sample.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Thread.
  utid JOINID(thread.id),
  -- Number of the CPU on its machine.
  cpu LONG,
  -- Mode of the CPU: user, kernel ...
  cpu_mode STRING,
  -- Innermost frame of the callstack.
  callsite_id JOINID(stack_profile_callsite.id),
  -- Why the callstack is incomplete.
  unwind_error STRING,
  -- Recording.
  perf_session_id JOINID(perf_session.id),
  -- Sample of the counter.
  counter_id JOINID(counter.id),
  -- Track of the counter.
  track_id JOINID(track.id),
  -- Value of the counter.
  counter_value DOUBLE
) AS
SELECT
  s.id AS sample_id, s.ts, s.utid, s.cpu, s.cpu_mode, s.callsite_id, s.unwind_error,
  s.perf_session_id, c.id AS counter_id, c.track_id, c.value AS counter_value
FROM perf_sample AS s
JOIN __intrinsic_profiler_sample AS raw ON raw.id = s.id
JOIN __intrinsic_profiler_counter_set AS counters ON counters.counter_set_id = raw.counter_set_id
JOIN counter AS c ON c.id = counters.counter_id;

-- Value of a counter at a sample.
CREATE PERFETTO FUNCTION linux_perf_counter_for_sample(
  -- Sample.
  sample_id JOINID(perf_sample.id),
  -- Name of the counter.
  counter_name STRING
)
-- Value; NULL if the sample has no such counter.
RETURNS DOUBLE AS
SELECT c.value
FROM __intrinsic_profiler_sample AS s
JOIN __intrinsic_profiler_counter_set AS counters ON counters.counter_set_id = s.counter_set_id
JOIN counter AS c ON c.id = counters.counter_id
JOIN counter_track AS t ON t.id = c.track_id
WHERE s.id = $sample_id AND t.name = $counter_name
LIMIT 1;
