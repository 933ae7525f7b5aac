SELECT value FROM stats WHERE name = 'ftrace_text_lost_events';
