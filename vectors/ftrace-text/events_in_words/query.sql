SELECT s.ts, s.dur, s.name, t.name AS track, t.type FROM slice s JOIN track t ON s.track_id = t.id ORDER BY s.ts;
SELECT c.ts, c.value, t.name FROM counter c JOIN track t ON c.track_id = t.id ORDER BY c.ts;
SELECT count(*) FROM ftrace_event;
