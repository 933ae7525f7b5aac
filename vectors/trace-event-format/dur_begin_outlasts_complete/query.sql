SELECT name, ts, dur, depth FROM slice ORDER BY ts, depth, name, dur;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('json_end_without_begin', 'misplaced_end_event') GROUP BY name ORDER BY name;
