SELECT name, ts, dur, depth FROM slice ORDER BY ts, depth, name, dur;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('json_async_end_without_begin', 'json_end_category_mismatch', 'json_end_without_begin') GROUP BY name ORDER BY name;
