SELECT t.name, c.ts, c.value, p.pid FROM counter c JOIN process_counter_track t ON t.id = c.track_id JOIN process p USING (upid) ORDER BY c.ts;
