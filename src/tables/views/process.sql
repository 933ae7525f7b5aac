-- Processes, threads and CPUs

-- CPUs that were seen: raw rows exist for every possible CPU.
CREATE PERFETTO VIEW cpu(
  -- Row number.
  id ID,
  -- Same as id.
  ucpu JOINID(cpu.id),
  -- Number on its machine; NULL if never seen.
  cpu LONG,
  -- Cluster.
  cluster_id LONG,
  -- Kind.
  processor STRING,
  -- Row of machine.
  machine_id JOINID(machine.id),
  -- Relative speed.
  capacity LONG,
  -- Args.
  arg_set_id ARGSETID
) AS
SELECT id, id AS ucpu, cpu, cluster_id, processor, machine_id, capacity, arg_set_id
FROM __intrinsic_cpu WHERE cpu IS NOT NULL;
