SELECT e.ts, e.name, group_concat(a.key || '=' || a.display_value, ' ') AS args FROM ftrace_event e JOIN args a USING (arg_set_id) WHERE a.key <> 'details' GROUP BY e.id ORDER BY e.ts;
SELECT s.ts, s.dur, s.name, t.name AS track FROM slice s JOIN track t ON t.id = s.track_id;
SELECT sum(value) AS failures FROM stats WHERE name IN ('ftrace_text_unsupported_tracer', 'systrace_parse_failure');
