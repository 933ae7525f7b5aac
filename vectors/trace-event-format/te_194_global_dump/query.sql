SELECT dump_id, ts, dur FROM json_memory_dump WHERE upid IS NULL ORDER BY ts;
SELECT n.path, s.upid FROM memory_snapshot_node n JOIN process_memory_snapshot s ON s.id = n.process_snapshot_id ORDER BY n.path;
