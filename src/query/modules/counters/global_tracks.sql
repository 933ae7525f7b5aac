-- Counter tracks that belong to no process, thread, CPU or GPU.

-- Counter tracks of whole machines: id, name, type, unit, machine_id.
CREATE PERFETTO TABLE _counter_global_tracks AS
SELECT c.id, c.name, c.type, c.unit, c.machine_id
FROM counter_track AS c
LEFT JOIN args AS a
  ON a.arg_set_id = c.dimension_arg_set_id
  AND a.key IN ('upid', 'utid', 'cpu', 'ucpu', 'gpu', 'ugpu')
WHERE a.id IS NULL
ORDER BY c.id;
