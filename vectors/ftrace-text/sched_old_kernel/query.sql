SELECT s.ts, s.dur, t.tid, t.name, s.end_state, s.priority FROM sched s JOIN thread t USING (utid) ORDER BY s.ts;
SELECT ts.ts, ts.dur, ts.state, t.tid FROM thread_state ts JOIN thread t USING (utid) ORDER BY t.tid, ts.ts;
