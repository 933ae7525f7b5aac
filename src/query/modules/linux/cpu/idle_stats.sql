-- Shares of idle states.

INCLUDE PERFETTO MODULE linux.cpu.idle;

-- How often and how long each CPU was in each idle state.
CREATE PERFETTO TABLE cpu_idle_stats(
  -- Number of the CPU on its machine.
  cpu LONG,
  -- Idle state, from 1.
  state LONG,
  -- Number of times.
  count LONG,
  -- Time in the state, ns.
  dur DURATION,
  -- Mean time in the state, ns.
  avg_dur DURATION,
  -- Percent of all known time of the CPU, idle or not.
  idle_percent DOUBLE
) AS
WITH total AS (
  SELECT cpu, sum(dur) AS dur FROM cpu_idle_counters GROUP BY cpu
),
by_state AS (
  SELECT cpu, idle + 1 AS state, count(*) AS count, sum(dur) AS dur
  FROM cpu_idle_counters
  WHERE idle >= 0
  GROUP BY cpu, idle
)
SELECT
  b.cpu, b.state, b.count, b.dur, b.dur / b.count AS avg_dur,
  b.dur * 100.0 / total.dur AS idle_percent
FROM by_state AS b
JOIN total USING (cpu);
