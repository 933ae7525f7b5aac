SELECT snapshot_id, clock_id, clock_value FROM clock_snapshot WHERE clock_id IN (9, 10) ORDER BY snapshot_id, clock_id;
