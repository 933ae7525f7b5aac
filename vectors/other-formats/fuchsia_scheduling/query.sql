SELECT th.tid, th.name, p.name AS process, c.cpu, s.ts, s.dur, s.end_state, s.priority FROM sched s JOIN cpu c USING (ucpu) JOIN thread th USING (utid) LEFT JOIN process p USING (upid) WHERE th.tid != 0 ORDER BY s.ts;
SELECT ts, dur, state, waker_utid FROM thread_state JOIN thread USING (utid) WHERE tid = 11 ORDER BY ts;
