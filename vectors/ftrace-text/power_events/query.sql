SELECT c.ts - 1000000000 AS after, t.name, t.type, c.value FROM counter c JOIN track t ON t.id = c.track_id ORDER BY c.ts, t.name;
