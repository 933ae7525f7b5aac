SELECT path FROM memory_snapshot_node ORDER BY path;
