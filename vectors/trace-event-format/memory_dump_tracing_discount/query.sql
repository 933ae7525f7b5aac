SELECT p.pid, a.key, a.int_value FROM json_memory_dump d JOIN process p USING (upid) LEFT JOIN args a ON a.arg_set_id = d.arg_set_id ORDER BY p.pid, a.key;
SELECT name, value FROM json_memory_total ORDER BY process_snapshot_id, name;
