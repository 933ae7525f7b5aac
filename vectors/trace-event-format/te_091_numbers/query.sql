SELECT t.name, c.value FROM counter c JOIN track t ON t.id = c.track_id ORDER BY c.id;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('json_parser_failure') GROUP BY name ORDER BY name;
