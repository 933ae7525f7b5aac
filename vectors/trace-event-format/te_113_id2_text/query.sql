SELECT s.name, s.ts, s.dur, t.type, t.name AS track FROM slice s JOIN track t ON t.id = s.track_id ORDER BY s.ts;
