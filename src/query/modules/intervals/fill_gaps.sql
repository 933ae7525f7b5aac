-- Rows for the time that the intervals of a table leave out.

-- Returns its argument.
CREATE PERFETTO MACRO _fill_gaps_column(name ColumnName)
RETURNS _ProjectionFragment AS $name;

-- A NULL with the name of a column.
CREATE PERFETTO MACRO __ifg_null(x Expr)
RETURNS _ProjectionFragment AS NULL AS $x;

-- The rows of a table, and rows without data for the holes of each group within the trace. Rows
-- without a duration are left out, but delimit holes.
-- Result: ts, dur, the group columns, the data columns.
CREATE PERFETTO MACRO _intervals_fill_gaps(
  group_cols ColumnNameList, data_cols ColumnNameList, data TableOrSubquery
)
RETURNS TableOrSubquery AS
(
  WITH _filled AS (SELECT *, 1 AS _all FROM $data)
  SELECT *
  FROM (
    SELECT ts, dur __intrinsic_token_apply_prefix!(_fill_gaps_column, $group_cols)
      __intrinsic_token_apply_prefix!(_fill_gaps_column, $data_cols)
    FROM _filled
    WHERE ts IS NOT NULL
    UNION ALL
    SELECT trace_start(), min(ts) - trace_start()
      __intrinsic_token_apply_prefix!(_fill_gaps_column, $group_cols)
      __intrinsic_token_apply_prefix!(__ifg_null, $data_cols)
    FROM _filled
    GROUP BY _all __intrinsic_token_apply_prefix!(_fill_gaps_column, $group_cols)
    UNION ALL
    SELECT
      ts + dur,
      lead(ts) OVER (
        PARTITION BY _all __intrinsic_token_apply_prefix!(_fill_gaps_column, $group_cols) ORDER BY ts
      ) - ts - dur
      __intrinsic_token_apply_prefix!(_fill_gaps_column, $group_cols)
      __intrinsic_token_apply_prefix!(__ifg_null, $data_cols)
    FROM _filled
    WHERE ts IS NOT NULL
    UNION ALL
    SELECT
      coalesce(max(ts + dur), trace_start()), trace_end() - coalesce(max(ts + dur), trace_start())
      __intrinsic_token_apply_prefix!(_fill_gaps_column, $group_cols)
      __intrinsic_token_apply_prefix!(__ifg_null, $data_cols)
    FROM _filled
    GROUP BY _all __intrinsic_token_apply_prefix!(_fill_gaps_column, $group_cols)
    UNION ALL
    SELECT trace_start(), trace_dur()
      __intrinsic_token_apply_prefix!(__ifg_null, $group_cols)
      __intrinsic_token_apply_prefix!(__ifg_null, $data_cols)
    WHERE NOT EXISTS (SELECT 1 FROM _filled)
  )
  WHERE dur > 0
  ORDER BY ts
);
