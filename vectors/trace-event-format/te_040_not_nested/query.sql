SELECT name, ts, dur, depth FROM slice ORDER BY ts, depth, name, dur;
SELECT name, category, thread_ts, thread_dur FROM slice ORDER BY ts;
