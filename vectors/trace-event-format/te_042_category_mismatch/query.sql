SELECT name, dur, category FROM slice;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('json_end_category_mismatch') GROUP BY name ORDER BY name;
