SELECT name, ts, dur, depth FROM slice ORDER BY ts, depth, name, dur;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('slice_negative_duration') GROUP BY name ORDER BY name;
