SELECT name, ts FROM slice ORDER BY ts, name;
SELECT domain, offset_ns, error_ns FROM json_trace_clock ORDER BY trace_file_id;
