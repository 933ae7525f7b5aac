SELECT s.ts - (SELECT min(ts) FROM slice) AS rel, s.dur, s.depth, s.name, t.name AS track FROM slice s JOIN track t ON s.track_id = t.id ORDER BY track, s.ts, s.depth;
SELECT s.name, a.key, a.string_value FROM slice s JOIN args a USING (arg_set_id);
