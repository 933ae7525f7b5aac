SELECT dump_id, ts, dur FROM json_memory_dump WHERE upid IS NULL ORDER BY ts;
SELECT d.dump_id, p.pid, d.ts, d.dur FROM json_memory_dump d JOIN process p USING (upid) ORDER BY d.ts;
