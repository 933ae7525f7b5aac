SELECT s.name, s.ts, s.dur, s.depth, t.type FROM slice s JOIN track t ON t.id = s.track_id ORDER BY s.ts;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('slice_spill_overlapping_complete_event') GROUP BY name HAVING sum(value) != 0 ORDER BY name;
