-- CPU cycles and utilization of processes.

INCLUDE PERFETTO MODULE linux.cpu.utilization.general;

-- CPU cycles of each process.
CREATE PERFETTO TABLE cpu_cycles_per_process(
  -- Process.
  upid JOINID(process.id),
  -- CPU cycles in thousandths; NULL if the frequency is not known.
  millicycles LONG,
  -- CPU cycles in millions; NULL if the frequency is not known.
  megacycles LONG,
  -- Time on a CPU, ns.
  runtime DURATION,
  -- Lowest CPU frequency, kHz.
  min_freq LONG,
  -- Highest CPU frequency, kHz.
  max_freq LONG,
  -- Mean CPU frequency weighted by time, kHz.
  avg_freq LONG
) AS
SELECT t.upid, _cpu_cycles_columns!(f.dur, f.freq)
FROM _cpu_freq_per_thread AS f
JOIN thread AS t USING (utid)
WHERE t.upid IS NOT NULL
GROUP BY t.upid;

-- CPU utilization of a process, by period. Periods in which it did not run are not listed.
CREATE PERFETTO FUNCTION cpu_process_utilization_per_period(
  -- Length of a period, ns.
  interval LONG,
  -- Process.
  upid JOINID(process.id)
)
RETURNS TABLE(
  -- Start of the period, ns.
  ts TIMESTAMP,
  -- Share of all CPUs that was in use, 0 to 1.
  utilization DOUBLE,
  -- Time on CPUs divided by the period; above 1 if several CPUs were in use.
  unnormalized_utilization DOUBLE
) AS
SELECT ts, utilization, unnormalized_utilization
FROM _cpu_avg_utilization_per_period!(
  $interval,
  (
    SELECT s.ts, s.dur
    FROM _sched_without_id AS s
    JOIN thread AS t USING (utid)
    WHERE t.upid = $upid
  )
);

-- CPU utilization of a process, by second.
CREATE PERFETTO FUNCTION cpu_process_utilization_per_second(
  -- Process.
  upid JOINID(process.id)
)
RETURNS TABLE(
  -- Start of the second, ns.
  ts TIMESTAMP,
  -- Share of all CPUs that was in use, 0 to 1.
  utilization DOUBLE,
  -- Time on CPUs divided by the period; above 1 if several CPUs were in use.
  unnormalized_utilization DOUBLE
) AS
SELECT ts, utilization, unnormalized_utilization
FROM cpu_process_utilization_per_period(1000000000, $upid);

-- CPU cycles of each process during an interval.
CREATE PERFETTO FUNCTION cpu_cycles_per_process_in_interval(
  -- Start of the interval, ns.
  ts TIMESTAMP,
  -- Duration of the interval, ns.
  dur LONG
)
RETURNS TABLE(
  -- Process.
  upid JOINID(process.id),
  -- CPU cycles in thousandths; NULL if the frequency is not known.
  millicycles LONG,
  -- CPU cycles in millions; NULL if the frequency is not known.
  megacycles LONG,
  -- Time on a CPU, ns.
  runtime DURATION,
  -- Time on a CPU while the device was awake, ns.
  awake_runtime DURATION,
  -- Lowest CPU frequency, kHz.
  min_freq LONG,
  -- Highest CPU frequency, kHz.
  max_freq LONG,
  -- Mean CPU frequency weighted by time, kHz.
  avg_freq LONG
) AS
SELECT t.upid, _cpu_cycles_columns_in_interval!()
FROM _cpu_freq_pieces!($ts, $dur) AS f
JOIN thread AS t USING (utid)
WHERE t.upid IS NOT NULL
GROUP BY t.upid;

-- CPU utilization of each process during an interval, as far as the device was awake.
CREATE PERFETTO FUNCTION cpu_process_utilization_in_interval(
  -- Start of the interval, ns.
  ts TIMESTAMP,
  -- Duration of the interval, ns.
  dur LONG
)
RETURNS TABLE(
  -- Process.
  upid JOINID(process.id),
  -- Name of the process.
  process_name STRING,
  -- Time on CPUs while the device was awake, ns.
  awake_dur LONG,
  -- Share of all CPUs that was in use while the device was awake, 0 to 1.
  awake_utilization DOUBLE,
  -- Time on CPUs divided by the awake time of the interval.
  awake_unnormalized_utilization DOUBLE
) AS
SELECT
  c.upid, p.name AS process_name, c.awake_runtime AS awake_dur,
  c.awake_runtime / cast_double!(
    (to_monotonic($ts + $dur) - to_monotonic($ts)) * (SELECT max(ucpu) + 1 FROM sched)
  ) AS awake_utilization,
  c.awake_runtime / cast_double!(to_monotonic($ts + $dur) - to_monotonic($ts))
    AS awake_unnormalized_utilization
FROM cpu_cycles_per_process_in_interval($ts, $dur) AS c
JOIN process AS p USING (upid);
