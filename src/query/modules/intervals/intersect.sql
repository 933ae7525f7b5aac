-- Intersections of intervals.

-- Returns its argument. For lists of names.
CREATE PERFETTO MACRO _interval_column(name ColumnName)
RETURNS _ProjectionFragment AS $name;

-- Returns the first of two arguments. For the first columns of a list, one per table.
CREATE PERFETTO MACRO _interval_first(first _ProjectionFragment, second _ProjectionFragment)
RETURNS _ProjectionFragment AS $first;

-- Names a column.
CREATE PERFETTO MACRO _interval_alias(column ColumnName, name ColumnName)
RETURNS _ProjectionFragment AS $column AS $name;

-- The name and the value of a partition column.
CREATE PERFETTO MACRO _interval_partition(name ColumnName)
RETURNS _ProjectionFragment AS __intrinsic_stringify!($name), input.$name;

-- The intervals of a table as one value.
CREATE PERFETTO MACRO _interval_set(tab TableOrSubquery, partitions ColumnNameList)
RETURNS Expr AS
(
  SELECT __intrinsic_interval_tree_intervals_agg(
    input.id, input.ts, input.dur
    __intrinsic_token_apply_prefix!(_interval_partition, $partitions)
  )
  FROM $tab AS input
);

-- The tuples of intervals, one of each table, that share time, within equal partitions.
-- Result: ts, dur, id_0, id_1 ..., and the partition columns.
CREATE PERFETTO MACRO _interval_intersect(tabs _TableNameList, partitions ColumnNameList)
RETURNS TableOrSubquery AS
(
  SELECT
    c0 AS ts,
    c1 AS dur,
    __intrinsic_token_apply!(
      _interval_first,
      (c2 AS id_0, c3 AS id_1, c4 AS id_2, c5 AS id_3, c6 AS id_4, c7 AS id_5, c8 AS id_6,
       c9 AS id_7, c10 AS id_8, c11 AS id_9, c12 AS id_10, c13 AS id_11, c14 AS id_12,
       c15 AS id_13, c16 AS id_14),
      $tabs
    )
    __intrinsic_token_apply_prefix!(_interval_alias, (c17, c18, c19, c20), $partitions)
  FROM __intrinsic_table_columns(
    __intrinsic_interval_intersect(
      __intrinsic_token_apply!(
        _interval_set,
        $tabs,
        ($partitions, $partitions, $partitions, $partitions, $partitions, $partitions,
         $partitions, $partitions, $partitions, $partitions, $partitions, $partitions,
         $partitions, $partitions, $partitions, $partitions)
      ),
      __intrinsic_stringify!($partitions)
    )
  )
);

-- The rows of a table, cut to one interval.
CREATE PERFETTO MACRO _interval_intersect_single(ts Expr, dur Expr, tab TableOrSubquery)
RETURNS TableOrSubquery AS
(
  SELECT id_0 AS id, ts, dur
  FROM _interval_intersect!(($tab, (SELECT 0 AS id, $ts AS ts, $dur AS dur)), ())
);

-- The intersection of two tables whose columns have other names.
CREATE PERFETTO MACRO _interval_intersect_with_col_names(
  tab1 TableOrSubquery, id1 ColumnName, ts1 ColumnName, dur1 ColumnName,
  tab2 TableOrSubquery, id2 ColumnName, ts2 ColumnName, dur2 ColumnName,
  partitions ColumnNameList
)
RETURNS TableOrSubquery AS
(
  SELECT *
  FROM _interval_intersect!(
    (
      (SELECT $id1 AS id, $ts1 AS ts, $dur1 AS dur
         __intrinsic_token_apply_prefix!(_interval_column, $partitions) FROM $tab1),
      (SELECT $id2 AS id, $ts2 AS ts, $dur2 AS dur
         __intrinsic_token_apply_prefix!(_interval_column, $partitions) FROM $tab2)
    ),
    $partitions
  )
);

-- Segments between successive starts and ends of the intervals of a table, with the intervals that
-- cover them and the intervals that end where they start.
CREATE PERFETTO MACRO interval_self_intersect(
  -- Intervals: id, ts, dur. No dur is negative.
  intervals TableOrSubquery
)
-- Rows: ts and dur of the segment; group_id, the number of the segment, from 1; id of the interval;
-- interval_ends_at_ts: 0 if the interval covers the segment, 1 if it ends at ts.
RETURNS TableOrSubquery AS
(
  WITH
    _self AS (SELECT id, ts, dur FROM $intervals),
    _segment AS (
      SELECT
        row_number() OVER (ORDER BY ts) AS id,
        ts,
        coalesce(lead(ts) OVER (ORDER BY ts) - ts, 0) AS dur
      FROM (SELECT ts FROM _self UNION SELECT ts + dur FROM _self)
    )
  SELECT ts, dur, id_0 AS group_id, id_1 AS id, 0 AS interval_ends_at_ts
  FROM _interval_intersect!((_segment, (SELECT * FROM _self WHERE dur > 0)), ())
  UNION ALL
  SELECT _segment.ts, _segment.dur, _segment.id, _self.id, 1
  FROM _segment JOIN _self ON _self.ts + _self.dur = _segment.ts
);
