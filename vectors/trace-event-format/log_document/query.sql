SELECT name, byte_offset, ts FROM _trace_import_logs ORDER BY byte_offset, ts, name;
