SELECT extract_arg(arg_set_id, 'process_uptime_seconds') AS u FROM process WHERE pid = 1;
