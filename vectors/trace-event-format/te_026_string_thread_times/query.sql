SELECT ts, dur, thread_ts, thread_dur FROM slice;
