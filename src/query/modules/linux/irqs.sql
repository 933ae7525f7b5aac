-- Interrupts.

-- Hard interrupts.
CREATE PERFETTO VIEW linux_hard_irqs(
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Name of the handler.
  name STRING,
  -- Slice.
  id JOINID(slice.id),
  -- Interrupt that was interrupted.
  parent_id JOINID(slice.id)
) AS
SELECT s.ts, s.dur, s.name, s.id, s.parent_id
FROM slice AS s
JOIN track AS t ON s.track_id = t.id
WHERE t.type = 'cpu_irq';

-- Soft interrupts.
CREATE PERFETTO VIEW linux_soft_irqs(
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Name of the soft interrupt.
  name STRING,
  -- Slice.
  id JOINID(slice.id)
) AS
SELECT s.ts, s.dur, s.name, s.id
FROM slice AS s
JOIN track AS t ON s.track_id = t.id
WHERE t.type = 'cpu_softirq';

-- Hard and soft interrupts.
CREATE PERFETTO VIEW linux_irqs(
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Name of the handler or soft interrupt.
  name STRING,
  -- Slice.
  id JOINID(slice.id),
  -- Interrupt that was interrupted; NULL for soft interrupts.
  parent_id JOINID(slice.id),
  -- 1 for a soft interrupt.
  is_soft_irq BOOL
) AS
SELECT ts, dur, name, id, parent_id, 0 AS is_soft_irq FROM linux_hard_irqs
UNION ALL
SELECT ts, dur, name, id, NULL AS parent_id, 1 AS is_soft_irq FROM linux_soft_irqs;

-- Names of interrupts.
CREATE PERFETTO VIEW linux_interrupt_mapping(
  -- Row number.
  id ID,
  -- Number of the interrupt.
  irq_id LONG,
  -- Name of the handler.
  name STRING,
  -- Machine; NULL for the host.
  machine_id JOINID(machine.id)
) AS
SELECT id, irq_id, name, NULL AS machine_id FROM __intrinsic_interrupt_mapping;
