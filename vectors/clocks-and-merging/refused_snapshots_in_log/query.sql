SELECT value, machine_id, trace_id FROM stats WHERE name = 'invalid_clock_snapshots';
SELECT l.name, l.trace_id, l.byte_offset > 0 AS has_offset, extract_arg(l.arg_set_id, 'error') AS error FROM _trace_import_logs l ORDER BY l.id;
SELECT name, ts FROM slice ORDER BY ts, name;
