-- Memory of processes together with their scores of the OOM adjuster.

INCLUDE PERFETTO MODULE android.oom_adjuster;
INCLUDE PERFETTO MODULE linux.memory.process;

CREATE VIRTUAL TABLE _memory_oom_span
USING SPAN_JOIN(
  _memory_rss_and_swap_per_process_table PARTITIONED upid,
  _oom_adjuster_intervals PARTITIONED upid
);

-- Memory of processes, cut at each change of the memory or of the score.
CREATE PERFETTO TABLE memory_oom_score_with_rss_and_swap_per_process(
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Score of the OOM adjuster.
  score LONG,
  -- Name of the range that the score lies in.
  bucket STRING,
  -- Process.
  upid JOINID(process.id),
  -- Name of the process.
  process_name STRING,
  -- Process number of the operating system.
  pid LONG,
  -- Slice of the adjuster that set the score.
  oom_adj_id JOINID(slice.id),
  -- Start of the slice, ns.
  oom_adj_ts TIMESTAMP,
  -- Duration of the slice, ns.
  oom_adj_dur DURATION,
  -- Track of the slice.
  oom_adj_track_id JOINID(track.id),
  -- Thread of the slice.
  oom_adj_thread_name STRING,
  -- Why the adjuster ran.
  oom_adj_reason STRING,
  -- What triggered the adjuster.
  oom_adj_trigger STRING,
  -- Resident anonymous memory, bytes.
  anon_rss LONG,
  -- Resident memory of files, bytes.
  file_rss LONG,
  -- Resident shared memory, bytes.
  shmem_rss LONG,
  -- Resident memory, bytes.
  rss LONG,
  -- Swapped memory, bytes.
  swap LONG,
  -- Resident anonymous and swapped memory, bytes.
  anon_rss_and_swap LONG,
  -- Resident and swapped memory, bytes.
  rss_and_swap LONG
) AS
SELECT
  s.ts, s.dur, s.score, s.bucket, s.upid, s.process_name, p.pid, s.oom_adj_id, s.oom_adj_ts,
  s.oom_adj_dur, s.oom_adj_track_id, s.oom_adj_thread_name, s.oom_adj_reason, s.oom_adj_trigger,
  s.anon_rss, s.file_rss, s.shmem_rss, s.rss, s.swap, s.anon_rss_and_swap,
  s.rss + coalesce(s.swap, 0) AS rss_and_swap
FROM _memory_oom_span AS s
JOIN process AS p USING (upid);
