SELECT s.name, a.key, a.int_value FROM slice s JOIN args a USING (arg_set_id) ORDER BY s.ts, a.key;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('json_arg_override') GROUP BY name ORDER BY name;
