SELECT t.name, c.ts, c.value FROM counter c JOIN track t ON t.id = c.track_id ORDER BY c.ts, t.name, c.id;
