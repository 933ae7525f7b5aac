SELECT name, ts FROM slice ORDER BY ts, name;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('clock_sync_disconnected', 'clock_sync_incomplete') GROUP BY name HAVING sum(value) != 0 ORDER BY name;
