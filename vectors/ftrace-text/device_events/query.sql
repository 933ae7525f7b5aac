SELECT s.ts - 1000000000 AS after, s.dur, s.name, t.name AS track, t.type FROM slice s JOIN track t ON t.id = s.track_id ORDER BY s.ts;
SELECT s.name, a.key, a.display_value FROM slice s JOIN args a ON a.arg_set_id = s.arg_set_id ORDER BY s.ts, a.key;
