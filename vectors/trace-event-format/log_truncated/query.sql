SELECT name, byte_offset FROM _trace_import_logs;
