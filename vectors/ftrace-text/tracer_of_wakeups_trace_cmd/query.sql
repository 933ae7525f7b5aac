SELECT ts, dur, ucpu, tid, end_state, priority FROM sched JOIN thread USING (utid) ORDER BY ts;
SELECT ts, name FROM ftrace_event ORDER BY id;
