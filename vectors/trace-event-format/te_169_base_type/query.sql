SELECT base_type, type_name, deletion_ts FROM json_object_instance;
SELECT count(*) AS n FROM json_object_snapshot;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('object_parse_error') GROUP BY name ORDER BY name;
