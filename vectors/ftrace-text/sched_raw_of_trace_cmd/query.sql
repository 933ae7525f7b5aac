SELECT ts, dur, ucpu, tid, name, end_state FROM sched JOIN thread USING (utid) ORDER BY ts;
SELECT name, value FROM stats WHERE name IN ('systrace_parse_failure', 'ftrace_unknown_task_state') ORDER BY name;
