SELECT l.ts, l.prio, l.tag, l.msg, t.tid FROM android_logs l JOIN thread t USING (utid) ORDER BY l.ts, l.tag;
SELECT name, value FROM stats WHERE name = 'android_log_format_invalid';
