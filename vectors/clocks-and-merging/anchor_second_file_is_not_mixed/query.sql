SELECT name, ts FROM slice ORDER BY ts;
SELECT sum(value) AS mixed FROM stats WHERE name = 'clock_sync_mixed_clock_sources';
