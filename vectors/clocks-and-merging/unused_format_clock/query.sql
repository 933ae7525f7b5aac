SELECT name, value FROM stats WHERE name GLOB 'clock_sync_*' AND name <> 'clock_sync_cache_miss' AND value > 0;
SELECT f.name, c.name AS clock, p.rule, p.placed > 0 AS placed FROM placement p JOIN trace_file f ON p.trace_id = f.id LEFT JOIN clock c ON p.clock_id = c.id ORDER BY f.name, clock;
