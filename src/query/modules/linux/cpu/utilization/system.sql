-- CPU cycles and utilization of the machine.

INCLUDE PERFETTO MODULE linux.cpu.utilization.general;

-- CPU utilization of the machine, by period. Periods in which nothing ran are not listed.
CREATE PERFETTO FUNCTION cpu_utilization_per_period(
  -- Length of a period, ns.
  interval LONG
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
FROM _cpu_avg_utilization_per_period!($interval, (SELECT ts, dur FROM _sched_without_id));

-- CPU utilization of the machine, by second.
CREATE PERFETTO TABLE cpu_utilization_per_second(
  -- Start of the second, ns.
  ts TIMESTAMP,
  -- Share of all CPUs that was in use, 0 to 1.
  utilization DOUBLE,
  -- Time on CPUs divided by the period; above 1 if several CPUs were in use.
  unnormalized_utilization DOUBLE
) AS
SELECT ts, utilization, unnormalized_utilization
FROM cpu_utilization_per_period(1000000000);

-- CPU cycles of the whole trace; one row.
CREATE PERFETTO TABLE cpu_cycles(
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
SELECT _cpu_cycles_columns!(dur, freq) FROM _cpu_freq_per_thread;

-- CPU cycles of each CPU.
CREATE PERFETTO TABLE cpu_cycles_per_cpu(
  -- CPU.
  ucpu JOINID(cpu.id),
  -- Number of the CPU on its machine.
  cpu LONG,
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
SELECT ucpu, cpu, _cpu_cycles_columns!(dur, freq)
FROM _cpu_freq_per_thread
GROUP BY ucpu;

-- CPU cycles during an interval; one row.
CREATE PERFETTO FUNCTION cpu_cycles_in_interval(
  -- Start of the interval, ns.
  ts TIMESTAMP,
  -- Duration of the interval, ns.
  dur LONG
)
RETURNS TABLE(
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
SELECT _cpu_cycles_columns_in_interval!() FROM _cpu_freq_pieces!($ts, $dur);

-- CPU utilization of the machine during an interval, as far as the device was awake; one row.
CREATE PERFETTO FUNCTION cpu_utilization_in_interval(
  -- Start of the interval, ns.
  ts TIMESTAMP,
  -- Duration of the interval, ns.
  dur LONG
)
RETURNS TABLE(
  -- Time on CPUs while the device was awake, ns.
  awake_dur LONG,
  -- Share of all CPUs that was in use while the device was awake, 0 to 1.
  awake_utilization DOUBLE,
  -- Time on CPUs divided by the awake time of the interval.
  awake_unnormalized_utilization DOUBLE
) AS
SELECT
  awake_runtime AS awake_dur,
  awake_runtime / cast_double!(
    (to_monotonic($ts + $dur) - to_monotonic($ts)) * (SELECT max(ucpu) + 1 FROM sched)
  ) AS awake_utilization,
  awake_runtime / cast_double!(to_monotonic($ts + $dur) - to_monotonic($ts))
    AS awake_unnormalized_utilization
FROM cpu_cycles_in_interval($ts, $dur);

-- CPU cycles of each CPU during an interval.
CREATE PERFETTO FUNCTION cpu_cycles_per_cpu_in_interval(
  -- Start of the interval, ns.
  ts TIMESTAMP,
  -- Duration of the interval, ns.
  dur LONG
)
RETURNS TABLE(
  -- CPU.
  ucpu JOINID(cpu.id),
  -- Number of the CPU on its machine.
  cpu LONG,
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
SELECT
  ucpu, cpu, millicycles, megacycles, runtime, min_freq, max_freq, avg_freq
FROM (
  SELECT ucpu, cpu, _cpu_cycles_columns_in_interval!()
  FROM _cpu_freq_pieces!($ts, $dur)
  GROUP BY ucpu
);
