SELECT name, ts, dur, depth FROM slice ORDER BY ts, depth, name, dur;
SELECT s.name, a.flat_key, a.key, a.int_value, a.string_value, a.value_type FROM slice s JOIN args a USING (arg_set_id) ORDER BY s.id, a.id;
SELECT name, sum(value) AS value FROM stats WHERE name LIKE 'json%' AND name != 'json_display_time_unit' GROUP BY name HAVING sum(value) != 0;
