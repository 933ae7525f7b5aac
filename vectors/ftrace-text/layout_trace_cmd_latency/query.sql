SELECT s.ts, s.dur, s.ucpu, th.tid, s.end_state FROM sched s JOIN thread th USING (utid) ORDER BY s.ts;
