SELECT l.ts, l.msg, l.prio, th.tid FROM android_logs l JOIN thread th USING (utid);
