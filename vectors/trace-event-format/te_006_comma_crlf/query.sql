SELECT name, ts, dur, depth FROM slice ORDER BY ts, depth, name, dur;
SELECT name, sum(value) AS value FROM stats WHERE name LIKE 'json%' AND name != 'json_display_time_unit' GROUP BY name HAVING sum(value) != 0;
