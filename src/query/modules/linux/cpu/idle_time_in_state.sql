-- Time in idle states, from the counters that the kernel keeps.

-- Growth of each counter since its previous sample: ts, machine_id, state, cpu, total_residency (us),
-- time_slice (us).
CREATE PERFETTO TABLE _cpu_idle_residency_growth AS
WITH track_of_state AS (
  SELECT
    id, machine_id,
    extract_arg(dimension_arg_set_id, 'state') AS state,
    extract_arg(dimension_arg_set_id, 'cpu') AS cpu
  FROM counter_track
  WHERE type = 'cpu_idle_state'
),
growth AS (
  SELECT
    c.ts, t.machine_id, t.state, t.cpu,
    c.value - lag(c.value) OVER by_track AS total_residency,
    (c.ts - lag(c.ts) OVER by_track) / 1000 AS time_slice
  FROM counter AS c
  JOIN track_of_state AS t ON c.track_id = t.id
  WINDOW by_track AS (PARTITION BY c.track_id ORDER BY c.ts)
)
SELECT ts, machine_id, state, cpu, cast_double!(total_residency) AS total_residency, time_slice
FROM growth
WHERE time_slice > 0;

-- Time of each CPU in each idle state between successive samples. State C0 is the time outside of
-- idle states.
CREATE PERFETTO TABLE linux_per_cpu_idle_time_in_state_counters(
  -- Time of the later sample, ns.
  ts TIMESTAMP,
  -- Machine; NULL for the host.
  machine_id JOINID(machine.id),
  -- Idle state.
  state STRING,
  -- Number of the CPU on its machine.
  cpu LONG,
  -- Percent of the time since the previous sample.
  idle_percentage DOUBLE,
  -- Time in the state since the previous sample, us.
  total_residency DOUBLE,
  -- Time since the previous sample, us.
  time_slice LONG
) AS
WITH by_state AS (
  SELECT
    ts, machine_id, state, cpu,
    min(100.0, total_residency * 100.0 / time_slice) AS idle_percentage,
    total_residency, time_slice
  FROM _cpu_idle_residency_growth
)
SELECT ts, machine_id, state, cpu, idle_percentage, total_residency, time_slice
FROM by_state
UNION ALL
SELECT
  ts, machine_id, 'C0' AS state, cpu,
  max(0.0, 100.0 - sum(idle_percentage)) AS idle_percentage,
  max(0.0, time_slice - sum(total_residency)) AS total_residency,
  time_slice
FROM by_state
GROUP BY ts, machine_id, cpu, time_slice;

-- Time of all CPUs in each idle state between successive samples.
CREATE PERFETTO TABLE linux_cpu_idle_time_in_state_counters(
  -- Time of the later sample, ns.
  ts TIMESTAMP,
  -- Machine; NULL for the host.
  machine_id JOINID(machine.id),
  -- Idle state; C0 is the time outside of idle states.
  state STRING,
  -- Percent of the time of all CPUs since the previous sample.
  idle_percentage DOUBLE,
  -- Time of all CPUs in the state since the previous sample, us.
  total_residency DOUBLE,
  -- Time of all CPUs since the previous sample, us.
  time_slice LONG
) AS
SELECT
  ts, machine_id, state,
  sum(total_residency) * 100.0 / sum(time_slice) AS idle_percentage,
  sum(total_residency) AS total_residency,
  sum(time_slice) AS time_slice
FROM linux_per_cpu_idle_time_in_state_counters
GROUP BY ts, machine_id, state;
