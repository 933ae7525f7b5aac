-- Records of the statistical profiling extension of Arm (SPE).

-- Sampled operations.
CREATE PERFETTO VIEW linux_perf_spe_record(
  -- Time, ns.
  ts TIMESTAMP,
  -- Thread.
  utid JOINID(thread.id),
  -- Exception level of the operation.
  exception_level STRING,
  -- Frame of the instruction.
  instruction_frame_id LONG,
  -- Kind of operation.
  operation STRING,
  -- Virtual address of the data.
  data_virtual_address LONG,
  -- Physical address of the data.
  data_physical_address LONG,
  -- Cycles from dispatch to completion.
  total_latency LONG,
  -- Cycles from dispatch to issue.
  issue_latency LONG,
  -- Cycles of the translation of the address.
  translation_latency LONG,
  -- Source of the data.
  data_source STRING,
  -- 1 if the operation ended with an exception.
  exception_gen BOOL,
  -- 1 if the operation was retired.
  retired BOOL,
  -- 1 if the first-level data cache was accessed.
  l1d_access BOOL,
  -- 1 if it was refilled.
  l1d_refill BOOL,
  -- 1 if the translation buffer was accessed.
  tlb_access BOOL,
  -- 1 if it was refilled.
  tlb_refill BOOL,
  -- 1 if a conditional branch was not taken.
  not_taken BOOL,
  -- 1 if a branch was predicted wrongly.
  mispred BOOL,
  -- 1 if the last-level cache was accessed.
  llc_access BOOL,
  -- 1 if the last-level cache missed.
  llc_refill BOOL,
  -- 1 if another socket was accessed.
  remote_access BOOL,
  -- 1 if the address was not aligned.
  alignment BOOL,
  -- 1 if the transaction failed.
  tme_transaction BOOL,
  -- 1 if a predicate was partly false.
  sve_partial_pred BOOL,
  -- 1 if a predicate was false throughout.
  sve_empty_pred BOOL
) AS
SELECT
  ts, utid, exception_level, instruction_frame_id, operation, data_virtual_address,
  data_physical_address, total_latency, issue_latency, translation_latency, data_source,
  (events_bitmask & (1 << 0)) != 0 AS exception_gen,
  (events_bitmask & (1 << 1)) != 0 AS retired,
  (events_bitmask & (1 << 2)) != 0 AS l1d_access,
  (events_bitmask & (1 << 3)) != 0 AS l1d_refill,
  (events_bitmask & (1 << 4)) != 0 AS tlb_access,
  (events_bitmask & (1 << 5)) != 0 AS tlb_refill,
  (events_bitmask & (1 << 6)) != 0 AS not_taken,
  (events_bitmask & (1 << 7)) != 0 AS mispred,
  (events_bitmask & (1 << 8)) != 0 AS llc_access,
  (events_bitmask & (1 << 9)) != 0 AS llc_refill,
  (events_bitmask & (1 << 10)) != 0 AS remote_access,
  (events_bitmask & (1 << 11)) != 0 AS alignment,
  (events_bitmask & (1 << 16)) != 0 AS tme_transaction,
  (events_bitmask & (1 << 17)) != 0 AS sve_partial_pred,
  (events_bitmask & (1 << 18)) != 0 AS sve_empty_pred
FROM __intrinsic_spe_record;
