SELECT object_id, category, base_type, creation_ts, deletion_ts FROM json_object_instance ORDER BY creation_ts, object_id;
SELECT i.object_id, s.ts, extract_arg(s.arg_set_id,'snapshot.foo') AS foo FROM json_object_snapshot s JOIN json_object_instance i ON i.id = s.instance_id WHERE s.is_implicit ORDER BY i.object_id, s.ts;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('object_parse_error') GROUP BY name ORDER BY name;
