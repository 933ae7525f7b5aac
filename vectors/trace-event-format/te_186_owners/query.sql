SELECT path, size, effective_size FROM memory_snapshot_node ORDER BY path;
