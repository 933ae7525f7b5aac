SELECT s.name, (s.ts + 500) / 1000 AS us, m.name AS machine
FROM slice s JOIN track t ON s.track_id = t.id JOIN machine m ON t.machine_id = m.id
ORDER BY s.ts, s.name;
