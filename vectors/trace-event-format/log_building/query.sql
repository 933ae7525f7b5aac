SELECT name, ts, extract_arg(arg_set_id, 'event_name') AS event_name FROM _trace_import_logs ORDER BY ts, name;
