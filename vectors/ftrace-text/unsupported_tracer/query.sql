SELECT name, value FROM stats WHERE name = 'ftrace_text_unsupported_tracer';
