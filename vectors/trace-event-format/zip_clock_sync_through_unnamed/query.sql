SELECT name, ts FROM slice ORDER BY ts, name;
SELECT name, sum(value) AS n FROM stats WHERE name = 'clock_sync_disconnected' GROUP BY name;
