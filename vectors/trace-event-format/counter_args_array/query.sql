SELECT c.ts, t.name, c.value FROM counter c JOIN track t ON t.id = c.track_id ORDER BY c.ts, t.name;
SELECT name, sum(value) AS value FROM stats WHERE name = 'json_parser_failure' GROUP BY name HAVING sum(value) != 0;
