SELECT s.name, t.type FROM slice s JOIN track t ON t.id = s.track_id ORDER BY s.ts;
