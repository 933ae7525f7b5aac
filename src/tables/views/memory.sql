-- Memory

-- Memory mappings of processes.
CREATE PERFETTO VIEW process_memory_mappings(
  -- Row number.
  id ID,
  -- Row of process.
  upid JOINID(process.id),
  -- ns.
  ts TIMESTAMP,
  -- Mapped file, without " (deleted)".
  path STRING,
  -- Mappings that the row sums up.
  aggregate_count LONG,
  -- 1 if the file is deleted.
  is_deleted LONG,
  -- KiB.
  size_kb LONG,
  -- KiB.
  rss_kb LONG,
  -- KiB.
  anonymous_kb LONG,
  -- KiB.
  swap_kb LONG,
  -- KiB.
  shared_clean_kb LONG,
  -- KiB.
  shared_dirty_kb LONG,
  -- KiB.
  private_clean_kb LONG,
  -- KiB.
  private_dirty_kb LONG,
  -- KiB.
  locked_kb LONG,
  -- KiB.
  pss_kb LONG,
  -- KiB.
  pss_dirty_kb LONG,
  -- KiB.
  swap_pss_kb LONG
) AS
SELECT id, upid, ts, path_trimmed AS path, aggregate_count, is_deleted, size_kb, rss_kb,
  anonymous_kb, swap_kb, shared_clean_resident_kb AS shared_clean_kb,
  shared_dirty_resident_kb AS shared_dirty_kb, private_clean_resident_kb AS private_clean_kb,
  private_dirty_kb, locked_kb, proportional_resident_kb AS pss_kb, pss_dirty_kb, swap_pss_kb
FROM __intrinsic_profiler_smaps;
