SELECT name, value FROM stats WHERE name IN ('ftrace_text_lost_events', 'systrace_parse_failure') ORDER BY name;
