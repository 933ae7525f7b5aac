-- Kinds of CPUs.

INCLUDE PERFETTO MODULE intervals.overlap;

-- Kind of the CPUs of a cluster, by the number of clusters of the machine.
CREATE PERFETTO TABLE _cores(
  -- Number of clusters.
  cluster_count LONG,
  -- Cluster, from 0, slowest first.
  cluster_id LONG,
  -- little, medium or big.
  cluster_type STRING
) AS
SELECT column1 AS cluster_count, column2 AS cluster_id, column3 AS cluster_type
FROM (
  VALUES
    (2, 0, 'little'), (2, 1, 'big'),
    (3, 0, 'little'), (3, 1, 'medium'), (3, 2, 'big'),
    (4, 0, 'little'), (4, 1, 'medium'), (4, 2, 'medium'), (4, 3, 'big')
);

-- The kind of each CPU, guessed from its cluster.
CREATE PERFETTO TABLE android_cpu_cluster_mapping(
  -- CPU.
  ucpu LONG,
  -- Number of the CPU on its machine.
  cpu LONG,
  -- little, medium or big; NULL if the machine has fewer than 2 or more than 4 clusters.
  cluster_type STRING
) AS
WITH machine_clusters AS (
  SELECT machine_id, count(DISTINCT cluster_id) AS cluster_count FROM cpu GROUP BY machine_id
)
SELECT cpu.ucpu, cpu.cpu, _cores.cluster_type
FROM cpu
LEFT JOIN machine_clusters AS m ON m.machine_id IS cpu.machine_id
LEFT JOIN _cores
  ON _cores.cluster_count = m.cluster_count AND _cores.cluster_id = cpu.cluster_id
ORDER BY cpu.ucpu;

-- Number of CPUs of a kind that run a thread other than an idle one.
CREATE PERFETTO FUNCTION _active_cpu_count_for_cluster_type(
  -- little, medium or big.
  cluster_type STRING
)
RETURNS TABLE(
  -- Time from which the count holds, ns.
  ts TIMESTAMP,
  -- Number of busy CPUs.
  active_cpu_count LONG
) AS
WITH busy AS (
  SELECT ts, dur
  FROM sched
  WHERE utid NOT IN (SELECT utid FROM thread WHERE is_idle)
    AND ucpu IN (
      SELECT ucpu FROM android_cpu_cluster_mapping WHERE cluster_type = $cluster_type
    )
)
SELECT ts, value AS active_cpu_count
FROM intervals_overlap_count!(busy, ts, dur)
ORDER BY ts;
