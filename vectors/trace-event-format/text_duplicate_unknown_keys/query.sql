SELECT name, int_value FROM metadata WHERE name LIKE 'json%' ORDER BY name;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('json_duplicate_key') GROUP BY name ORDER BY name;
