SELECT name, ts FROM slice ORDER BY ts, name;
SELECT name, value FROM stats WHERE name GLOB 'clock_sync*' AND value > 0 AND severity != 'info' ORDER BY name;
