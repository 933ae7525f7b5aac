SELECT e.name, a.key, a.int_value, a.string_value FROM ftrace_event e JOIN args a USING (arg_set_id) ORDER BY e.id, a.id;
SELECT name, value FROM stats WHERE name = 'systrace_parse_failure';
