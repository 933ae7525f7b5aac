SELECT n.path, n.size, n.effective_size, extract_arg(n.arg_set_id,'objects_count.value') AS objects, extract_arg(n.arg_set_id,'inner_size.value') AS inner_size FROM memory_snapshot_node n ORDER BY n.path;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('memory_dump_parse_error') GROUP BY name ORDER BY name;
