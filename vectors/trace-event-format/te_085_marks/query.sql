SELECT name, ts, thread_ts FROM slice ORDER BY ts;
