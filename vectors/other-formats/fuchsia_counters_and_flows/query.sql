SELECT c.ts, c.value, t.name FROM counter c JOIN track t ON c.track_id = t.id ORDER BY c.ts, t.name;
SELECT o.name AS slice_out, i.name AS slice_in FROM flow f JOIN slice o ON f.slice_out = o.id JOIN slice i ON f.slice_in = i.id;
SELECT name, value FROM stats WHERE name = 'fuchsia_non_numeric_counters';
