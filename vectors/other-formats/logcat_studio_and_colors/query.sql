SELECT l.ts, th.tid, l.prio, l.tag, l.msg FROM android_logs l JOIN thread th USING (utid) ORDER BY l.ts;
SELECT name, sum(value) AS value FROM stats WHERE name = 'android_log_format_invalid' GROUP BY name;
