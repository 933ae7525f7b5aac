SELECT c.ts, c.value, t.name FROM counter c JOIN track t ON c.track_id = t.id ORDER BY c.ts;
SELECT ts, dur, name FROM slice;
SELECT count(*) FROM ftrace_event;
SELECT name, value FROM stats WHERE name = 'systrace_parse_failure';
