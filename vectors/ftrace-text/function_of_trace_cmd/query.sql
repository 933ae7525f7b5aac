SELECT e.ts, e.name, group_concat(a.key || '=' || a.display_value, ' ') AS args FROM ftrace_event e JOIN args a USING (arg_set_id) GROUP BY e.id ORDER BY e.ts;
