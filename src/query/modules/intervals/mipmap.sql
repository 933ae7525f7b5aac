-- Intervals reduced to buckets of time: in each bucket, the interval that covers most of it.

INCLUDE PERFETTO MODULE intervals.intersect;

-- Buckets of one size from a start to an end.
CREATE PERFETTO MACRO _mipmap_buckets(
  -- Start of the first bucket, ns.
  start_ts Expr,
  -- End of the last bucket, ns.
  end_ts Expr,
  -- Duration of a bucket, ns. The last one may be shorter.
  bucket_dur Expr
)
-- Rows: id (from 0), ts, dur.
RETURNS TableOrSubquery AS
(
  WITH RECURSIVE _bucket(id, ts) AS (
    SELECT 0, $start_ts WHERE $start_ts < $end_ts AND $bucket_dur > 0
    UNION ALL
    SELECT id + 1, ts + $bucket_dur FROM _bucket WHERE ts + $bucket_dur < $end_ts
  )
  SELECT id, ts, min($bucket_dur, $end_ts - ts) AS dur FROM _bucket
);

-- The interval that covers most of each bucket, within equal partitions. Of intervals that cover
-- the same time, the one with the least id.
CREATE PERFETTO MACRO _mipmap_dominant(
  -- Intervals: id, ts, dur, and the partition columns. No dur is negative; those of 0 are left out.
  intervals TableOrSubquery,
  -- Buckets, as those of _mipmap_buckets.
  buckets TableOrSubquery,
  -- Partition columns.
  partition_columns ColumnNameList
)
-- Rows: bucket_id, id, ts and dur of the bucket, covered_dur (the time of the bucket that the
-- interval covers), and the partition columns. Buckets without intervals are left out.
RETURNS TableOrSubquery AS
(
  WITH
    _mipmap_bucket AS MATERIALIZED (SELECT id, ts, dur FROM $buckets),
    _mipmap_interval AS MATERIALIZED (SELECT * FROM $intervals WHERE dur > 0),
    _mipmap_part AS (
      SELECT i.id_1 AS bucket_id, i.dur AS covered_dur, interval.*
      FROM _interval_intersect!((_mipmap_interval, _mipmap_bucket), ()) AS i
      JOIN _mipmap_interval AS interval ON interval.id = i.id_0
    ),
    _mipmap_ranked AS (
      SELECT
        *,
        row_number() OVER (
          PARTITION BY bucket_id __intrinsic_token_apply_prefix!(_interval_column, $partition_columns)
          ORDER BY covered_dur DESC, id
        ) AS _mipmap_rank
      FROM _mipmap_part
    )
  SELECT
    bucket_id, _mipmap_ranked.id, _mipmap_bucket.ts, _mipmap_bucket.dur, covered_dur
    __intrinsic_token_apply_prefix!(_interval_column, $partition_columns)
  FROM _mipmap_ranked
  JOIN _mipmap_bucket ON _mipmap_bucket.id = bucket_id
  WHERE _mipmap_rank = 1
);

-- The same, with neighbouring buckets of one interval joined.
CREATE PERFETTO MACRO _mipmap_merged(
  -- Intervals: id, ts, dur, and the partition columns. No dur is negative; those of 0 are left out.
  intervals TableOrSubquery,
  -- Buckets, as those of _mipmap_buckets.
  buckets TableOrSubquery,
  -- Partition columns.
  partition_columns ColumnNameList
)
-- Rows: id, ts, dur, and the partition columns.
RETURNS TableOrSubquery AS
(
  WITH _mipmap_run AS (
    SELECT
      *,
      bucket_id - row_number() OVER (
        PARTITION BY id __intrinsic_token_apply_prefix!(_interval_column, $partition_columns)
        ORDER BY bucket_id
      ) AS _mipmap_number
    FROM _mipmap_dominant!($intervals, $buckets, $partition_columns)
  )
  SELECT
    id, min(ts) AS ts, sum(dur) AS dur
    __intrinsic_token_apply_prefix!(_interval_column, $partition_columns)
  FROM _mipmap_run
  GROUP BY id, _mipmap_number __intrinsic_token_apply_prefix!(_interval_column, $partition_columns)
);
