SELECT s.name, s.ts, t.type FROM slice s JOIN track t ON t.id = s.track_id ORDER BY s.ts;
SELECT o.name AS slice_out, i.name AS slice_in FROM flow f JOIN slice o ON o.id = f.slice_out JOIN slice i ON i.id = f.slice_in ORDER BY f.id;
SELECT name, sum(value) AS value FROM stats WHERE name LIKE 'flow%' OR name LIKE 'json%' GROUP BY name HAVING sum(value) != 0;
