SELECT ts, ucpu, tid, name, priority FROM sched JOIN thread USING (utid);
SELECT ts, name FROM ftrace_event ORDER BY id;
SELECT name, value FROM stats WHERE name = 'systrace_parse_failure';
