SELECT name, ts FROM slice ORDER BY ts, name;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('clock_sync_third_marker') GROUP BY name HAVING sum(value) != 0 ORDER BY name;
SELECT from_domain, to_domain, offset_ns FROM json_clock_edge ORDER BY from_domain, to_domain;
