SELECT ts, dur, ucpu, tid, name, end_state, priority FROM sched JOIN thread USING (utid) ORDER BY ts;
SELECT ts, dur, state, tid, waker_utid IS NOT NULL AS has_waker FROM thread_state JOIN thread USING (utid) WHERE tid <> 0 ORDER BY ts, tid;
SELECT e.ts, e.name, a.key, a.display_value FROM ftrace_event e JOIN args a USING (arg_set_id) WHERE e.ts IN (240132281000, 240132457000) ORDER BY e.id, a.id;
SELECT tid, name FROM thread WHERE tid <> 0 ORDER BY tid;
SELECT name, value FROM stats WHERE name = 'systrace_parse_failure';
