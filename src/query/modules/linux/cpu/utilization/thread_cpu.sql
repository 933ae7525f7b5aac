-- CPU cycles of threads on each CPU.

INCLUDE PERFETTO MODULE linux.cpu.utilization.general;

-- CPU cycles of each thread on each CPU.
CREATE PERFETTO TABLE cpu_cycles_per_thread_per_cpu(
  -- Thread.
  utid JOINID(thread.id),
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
SELECT utid, ucpu, cpu, _cpu_cycles_columns!(dur, freq)
FROM _cpu_freq_per_thread
GROUP BY utid, ucpu;

-- CPU cycles of each thread on each CPU during an interval.
CREATE PERFETTO FUNCTION cpu_cycles_per_thread_per_cpu_in_interval(
  -- Start of the interval, ns.
  ts TIMESTAMP,
  -- Duration of the interval, ns.
  dur LONG
)
RETURNS TABLE(
  -- Thread.
  utid JOINID(thread.id),
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
  utid, ucpu, cpu, millicycles, megacycles, runtime, min_freq, max_freq, avg_freq
FROM (
  SELECT utid, ucpu, cpu, _cpu_cycles_columns_in_interval!()
  FROM _cpu_freq_pieces!($ts, $dur)
  GROUP BY utid, ucpu
);
