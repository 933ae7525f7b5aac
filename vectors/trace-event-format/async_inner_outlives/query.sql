SELECT s.name, s.ts, s.dur, s.depth, p.name AS parent FROM slice s LEFT JOIN slice p ON p.id = s.parent_id ORDER BY s.name;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('misplaced_end_event', 'json_async_end_without_begin') GROUP BY name HAVING sum(value) != 0 ORDER BY name;
