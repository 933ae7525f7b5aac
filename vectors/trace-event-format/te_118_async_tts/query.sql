SELECT thread_ts, thread_dur FROM slice;
