SELECT dump_id, ts, dur FROM json_memory_dump WHERE upid IS NULL ORDER BY ts;
SELECT p.pid, t.name, t.value FROM json_memory_total t JOIN process_memory_snapshot s ON s.id = t.process_snapshot_id JOIN process p USING (upid) ORDER BY t.value;
