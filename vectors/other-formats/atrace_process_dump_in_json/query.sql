SELECT p.pid, p.name, t.tid, t.name AS thread FROM thread t JOIN process p USING (upid) WHERE t.tid = 789;
SELECT d.ts, t.name, t.value FROM json_memory_dump d JOIN json_memory_total t USING (process_snapshot_id) WHERE t.name IN ('resident_set_bytes', 'oom_sc') ORDER BY t.name;
SELECT size, protection, file, pss, swapped FROM json_memory_region;
SELECT sync_id, domain, role FROM json_clock_sync_marker;
SELECT sum(value) AS value FROM stats WHERE name = 'memory_dump_parse_error';
