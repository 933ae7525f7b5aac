SELECT name, ts, dur, depth FROM slice ORDER BY ts, depth, name, dur;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('json_async_end_without_begin') GROUP BY name ORDER BY name;
SELECT a.key, a.int_value, a.string_value FROM slice s JOIN args a USING (arg_set_id) WHERE s.name = 'b' ORDER BY a.key;
