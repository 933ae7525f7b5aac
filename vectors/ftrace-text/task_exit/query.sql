SELECT tid, name, end_ts FROM thread WHERE tid != 0 ORDER BY tid;
SELECT pid, end_ts FROM process WHERE pid != 0 ORDER BY pid;
