-- Time in the protected hypervisor (pKVM).

-- Intervals in which a CPU was in the hypervisor.
CREATE PERFETTO VIEW pkvm_hypervisor_events(
  -- Slice.
  slice_id JOINID(slice.id),
  -- Number of the CPU on its machine.
  cpu JOINID(cpu.cpu),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Why the CPU entered the hypervisor.
  reason STRING
) AS
SELECT
  s.id AS slice_id, t.cpu, s.ts, s.dur, extract_arg(s.arg_set_id, 'hyp_enter_reason') AS reason
FROM slice AS s
JOIN cpu_track AS t ON s.track_id = t.id
WHERE s.category = 'pkvm_hyp';
