SELECT s.name, a.flat_key, a.key, a.int_value, a.string_value, a.value_type FROM slice s JOIN args a USING (arg_set_id) ORDER BY s.id, a.id;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('json_arg_override') GROUP BY name ORDER BY name;
