SELECT l.msg, t.tid FROM android_logs l JOIN thread t USING (utid) ORDER BY l.ts;
