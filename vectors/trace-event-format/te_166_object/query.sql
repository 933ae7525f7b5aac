SELECT object_id, category, base_type, creation_ts, deletion_ts FROM json_object_instance ORDER BY creation_ts, object_id;
SELECT s.ts, i.object_id, s.is_implicit, s.raw_json FROM json_object_snapshot s JOIN json_object_instance i ON i.id = s.instance_id ORDER BY s.ts, i.object_id;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('object_parse_error') GROUP BY name ORDER BY name;
