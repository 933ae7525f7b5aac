SELECT c.ts - 1000000000 AS after, t.name, t.type, p.pid, c.value FROM counter c JOIN track t ON t.id = c.track_id LEFT JOIN process_counter_track pt ON pt.id = t.id LEFT JOIN process p USING (upid) ORDER BY c.ts, t.name;
SELECT s.ts - 1000000000 AS after, s.dur, s.name, t.name AS track FROM slice s JOIN track t ON t.id = s.track_id ORDER BY s.ts;
SELECT s.name, a.key, a.display_value FROM slice s JOIN args a ON a.arg_set_id = s.arg_set_id WHERE a.key NOT LIKE 'legacy%' ORDER BY s.ts, a.key;
