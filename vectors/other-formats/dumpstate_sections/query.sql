SELECT section, service, line FROM android_dumpstate ORDER BY id;
SELECT l.ts, t.tid, p.pid, l.prio, l.tag, l.msg FROM android_logs l JOIN thread t USING (utid) JOIN process p USING (upid) ORDER BY l.ts, l.id;
SELECT name, value FROM stats WHERE name = 'android_log_format_invalid' AND value > 0;
