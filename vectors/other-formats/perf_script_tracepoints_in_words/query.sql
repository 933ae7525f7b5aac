SELECT ts, dur, name FROM slice ORDER BY ts;
SELECT ts, name FROM ftrace_event ORDER BY ts;
