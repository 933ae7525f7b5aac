SELECT p.pid, t.tid FROM thread t JOIN process p USING (upid) WHERE p.pid > 0 ORDER BY p.pid, t.tid;
