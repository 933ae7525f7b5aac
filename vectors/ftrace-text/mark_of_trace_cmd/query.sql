SELECT c.ts, c.dur, t.tid, t.name, c.end_state, c.priority FROM sched c JOIN thread t USING (utid) ORDER BY c.ts;
SELECT ts, dur, name FROM slice ORDER BY ts;
SELECT name, value FROM stats WHERE name = 'systrace_parse_failure';
