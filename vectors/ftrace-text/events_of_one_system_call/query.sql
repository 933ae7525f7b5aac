SELECT f.ts, f.name, a.key, a.int_value, a.string_value FROM ftrace_event f LEFT JOIN args a USING (arg_set_id) ORDER BY f.ts, a.key;
SELECT name, sum(value) AS value FROM stats WHERE name = 'systrace_parse_failure' GROUP BY name;
