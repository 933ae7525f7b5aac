SELECT e.ts, e.ucpu, e.name, a.key, a.display_value FROM ftrace_event e JOIN args a USING (arg_set_id) WHERE e.name IN ('function', 'kernel_stack') ORDER BY e.id, a.id;
SELECT ts, ucpu, end_state FROM sched;
SELECT name, value FROM stats WHERE name IN ('ftrace_text_lost_events', 'ftrace_text_unsupported_tracer', 'systrace_parse_failure') ORDER BY name;
