-- Intersections of intervals.

-- Returns its argument. For lists of names.
CREATE PERFETTO MACRO _interval_column(name ColumnName)
RETURNS _ProjectionFragment AS $name;

-- Returns the first of two arguments. For the first columns of a list, one per table.
CREATE PERFETTO MACRO __first_arg(x Expr, y Expr)
RETURNS Expr AS $x;

-- Names a column.
CREATE PERFETTO MACRO _ii_df_select(x ColumnName, y Expr)
RETURNS _ProjectionFragment AS $x AS $y;

-- Names a column of a table pointer.
CREATE PERFETTO MACRO _ii_df_bind(x Expr, y Expr)
RETURNS Expr AS __intrinsic_table_ptr_bind($x, __intrinsic_stringify!($y));

-- The name and the value of a partition column.
CREATE PERFETTO MACRO _ii_df_agg(x ColumnName, y ColumnName)
RETURNS _ProjectionFragment AS __intrinsic_stringify!($x), input.$y;

-- The intervals of a table as one value.
CREATE PERFETTO MACRO _interval_agg(tab TableOrSubquery, agg_columns ColumnNameList)
RETURNS Expr AS
(
  SELECT __intrinsic_interval_tree_intervals_agg(
    input.id, input.ts, input.dur
    __intrinsic_token_apply_prefix!(_ii_df_agg, $agg_columns, $agg_columns)
  )
  FROM $tab AS input
);

-- A table whose columns have other names, as id, ts, dur and the partition columns.
CREATE PERFETTO MACRO _interval_rename_cols(
  tab TableOrSubquery, agg_columns ColumnNameList, id_col ColumnName, ts_col ColumnName,
  dur_col ColumnName
)
RETURNS TableOrSubquery AS
(
  SELECT $id_col AS id, $ts_col AS ts, $dur_col AS dur
    __intrinsic_token_apply_prefix!(_interval_column, $agg_columns)
  FROM $tab
);

-- The intervals of a table whose columns have other names as one value.
CREATE PERFETTO MACRO _interval_agg_with_col_names(
  tab TableOrSubquery, agg_columns ColumnNameList, id_col ColumnName, ts_col ColumnName,
  dur_col ColumnName
)
RETURNS Expr AS
_interval_agg!(_interval_rename_cols!($tab, $agg_columns, $id_col, $ts_col, $dur_col), $agg_columns);

-- The tuples of intervals, one of each table, that share time, within equal partitions.
-- Result: ts, dur, id_0, id_1 ..., and the partition columns.
CREATE PERFETTO MACRO _interval_intersect(tabs _TableNameList, agg_columns ColumnNameList)
RETURNS TableOrSubquery AS
(
  SELECT
    c0 AS ts,
    c1 AS dur,
    __intrinsic_token_apply!(
      __first_arg,
      (c2 AS id_0, c3 AS id_1, c4 AS id_2, c5 AS id_3, c6 AS id_4, c7 AS id_5, c8 AS id_6,
       c9 AS id_7, c10 AS id_8, c11 AS id_9, c12 AS id_10, c13 AS id_11, c14 AS id_12,
       c15 AS id_13, c16 AS id_14),
      $tabs
    )
    __intrinsic_token_apply_prefix!(_ii_df_select, (c17, c18, c19, c20), $agg_columns)
  FROM __intrinsic_table_columns(
    __intrinsic_interval_intersect(
      __intrinsic_token_apply!(
        _interval_agg,
        $tabs,
        ($agg_columns, $agg_columns, $agg_columns, $agg_columns, $agg_columns, $agg_columns,
         $agg_columns, $agg_columns, $agg_columns, $agg_columns, $agg_columns, $agg_columns,
         $agg_columns, $agg_columns, $agg_columns, $agg_columns)
      ),
      __intrinsic_stringify!($agg_columns)
    )
  )
);

-- The rows of a table, cut to one interval.
CREATE PERFETTO MACRO _interval_intersect_single(ts Expr, dur Expr, t TableOrSubquery)
RETURNS TableOrSubquery AS
(
  SELECT id_0 AS id, ts, dur
  FROM _interval_intersect!(($t, (SELECT 0 AS id, $ts AS ts, $dur AS dur)), ())
);

-- The intersection of two tables whose columns have other names.
CREATE PERFETTO MACRO _interval_intersect_with_col_names(
  tab1 TableOrSubquery, id_col1 ColumnName, ts_col1 ColumnName, dur_col1 ColumnName,
  tab2 TableOrSubquery, id_col2 ColumnName, ts_col2 ColumnName, dur_col2 ColumnName,
  agg_columns ColumnNameList
)
RETURNS TableOrSubquery AS
(
  SELECT *
  FROM _interval_intersect!(
    (
      _interval_rename_cols!($tab1, $agg_columns, $id_col1, $ts_col1, $dur_col1),
      _interval_rename_cols!($tab2, $agg_columns, $id_col2, $ts_col2, $dur_col2)
    ),
    $agg_columns
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
