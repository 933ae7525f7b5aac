SELECT ts, dur, tid, state, io_wait, blocked_function, cpu FROM thread_state JOIN thread USING (utid) ORDER BY ts;
SELECT ts, dur, cpu, end_state, priority FROM sched ORDER BY ts;
SELECT name, ts, dur, depth FROM slice ORDER BY ts, depth, name, dur;
