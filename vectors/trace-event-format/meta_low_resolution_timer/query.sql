SELECT name, int_value FROM metadata WHERE name GLOB 'json_*';
SELECT name, sum(value) AS value FROM stats WHERE name IN ('low_resolution_timer') GROUP BY name HAVING sum(value) != 0 ORDER BY name;
