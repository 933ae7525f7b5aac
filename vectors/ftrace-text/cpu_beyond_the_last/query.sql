SELECT ts, cpu FROM sched;
SELECT name, sum(value) AS value FROM stats WHERE name = 'systrace_parse_failure' GROUP BY name;
