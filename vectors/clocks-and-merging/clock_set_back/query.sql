SELECT name, ts FROM slice ORDER BY ts, name;
SELECT sum(placed) AS placed, sum(dropped_no_path) AS no_path, sum(dropped_ambiguous) AS ambiguous FROM placement;
SELECT name, value FROM stats WHERE name IN ('ambiguous_clock_reading', 'clock_sync_failure_no_path') ORDER BY name;
SELECT c.name, c.segments FROM clock c ORDER BY c.domain;
