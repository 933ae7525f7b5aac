SELECT l.ts, l.prio, l.tag, l.msg, t.tid, p.pid FROM android_logs l JOIN thread t USING (utid) JOIN process p USING (upid) ORDER BY l.ts;
