-- Kind of the machines of a trace.

-- Whether a machine runs Linux.
CREATE PERFETTO FUNCTION _is_linux_machine(
  -- Machine; NULL for the host.
  machine_id JOINID(machine.id)
)
-- 1 if the machine runs Linux or if its system is not known.
RETURNS LONG AS
SELECT coalesce(
  (
    SELECT sysname IS NULL OR sysname IN ('Linux', 'Android', '')
    FROM machine
    WHERE id = coalesce($machine_id, (SELECT min(id) FROM machine))
  ),
  1
);
