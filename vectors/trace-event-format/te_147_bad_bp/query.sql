SELECT o.name AS out_, i.name AS in_ FROM flow f JOIN slice o ON o.id = f.slice_out JOIN slice i ON i.id = f.slice_in ORDER BY o.ts, i.ts;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('flow_bad_bind_point') GROUP BY name ORDER BY name;
