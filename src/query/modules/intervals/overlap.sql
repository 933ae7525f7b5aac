-- Overlapping intervals: counts, unions.

-- Returns its argument.
CREATE PERFETTO MACRO _overlap_column(name ColumnName)
RETURNS _ProjectionFragment AS $name;

-- The number of open intervals from each start or end on.
CREATE PERFETTO MACRO intervals_overlap_count(
  -- Intervals. A dur of -1 never ends.
  segments TableOrSubquery,
  -- Column of the starts.
  ts_column ColumnName,
  -- Column of the durations.
  dur_column ColumnName
)
-- Rows: ts, value (the number from ts on), by ts.
RETURNS TableOrSubquery AS
(
  SELECT ts, sum(change) OVER (ORDER BY ts) AS value
  FROM (
    SELECT ts, sum(change) AS change
    FROM (
      SELECT $ts_column AS ts, 1 AS change FROM $segments
      UNION ALL
      SELECT $ts_column + $dur_column, -1 FROM $segments WHERE $dur_column != -1
    )
    GROUP BY ts
  )
  ORDER BY ts
);

-- The number of open intervals of each group from each start or end on.
CREATE PERFETTO MACRO intervals_overlap_count_by_group(
  -- Intervals. A dur of -1 never ends.
  segments TableOrSubquery,
  -- Column of the starts.
  ts_column ColumnName,
  -- Column of the durations.
  dur_column ColumnName,
  -- Column of the groups.
  group_column ColumnName
)
-- Rows: ts, value (the number from ts on), group_name, by group and ts.
RETURNS TableOrSubquery AS
(
  SELECT ts, sum(change) OVER (PARTITION BY group_name ORDER BY ts) AS value, group_name
  FROM (
    SELECT ts, sum(change) AS change, group_name
    FROM (
      SELECT $ts_column AS ts, 1 AS change, $group_column AS group_name FROM $segments
      UNION ALL
      SELECT $ts_column + $dur_column, -1, $group_column FROM $segments WHERE $dur_column != -1
    )
    GROUP BY group_name, ts
  )
  ORDER BY group_name, ts
);

-- The union of the intervals of a table.
CREATE PERFETTO MACRO interval_merge_overlapping(
  -- Intervals: ts, dur.
  intervals TableOrSubquery,
  -- Gaps up to this length are closed, ns.
  epsilon Expr
)
-- Rows: ts, dur, by ts.
RETURNS TableOrSubquery AS
(
  WITH
    _interval AS (
      SELECT
        ts,
        ts + dur AS end_ts,
        max(ts + dur) OVER (
          ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS covered
      FROM $intervals
    ),
    _numbered AS (
      SELECT
        ts,
        end_ts,
        sum(covered IS NULL OR ts > covered + ($epsilon)) OVER (
          ORDER BY ts ROWS UNBOUNDED PRECEDING
        ) AS number
      FROM _interval
    )
  SELECT min(ts) AS ts, max(end_ts) - min(ts) AS dur FROM _numbered GROUP BY number ORDER BY 1
);

-- The union of the intervals of each partition of a table. Touching intervals are joined.
CREATE PERFETTO MACRO interval_merge_overlapping_partitioned(
  -- Intervals: ts, dur, and the partition columns. Rows of a negative dur are left out.
  intervals TableOrSubquery,
  -- Partition columns.
  partition_columns ColumnNameList
)
-- Rows: ts, dur, and the partition columns.
RETURNS TableOrSubquery AS
(
  WITH
    _interval AS (
      SELECT
        1 AS _all,
        ts,
        ts + dur AS end_ts
        __intrinsic_token_apply_prefix!(_overlap_column, $partition_columns),
        max(ts + dur) OVER (
          PARTITION BY 1 __intrinsic_token_apply_prefix!(_overlap_column, $partition_columns)
          ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS covered
      FROM $intervals
      WHERE dur >= 0
    ),
    _numbered AS (
      SELECT
        *,
        sum(covered IS NULL OR ts > covered) OVER (
          PARTITION BY 1 __intrinsic_token_apply_prefix!(_overlap_column, $partition_columns)
          ORDER BY ts ROWS UNBOUNDED PRECEDING
        ) AS number
      FROM _interval
    )
  SELECT
    min(ts) AS ts,
    max(end_ts) - min(ts) AS dur
    __intrinsic_token_apply_prefix!(_overlap_column, $partition_columns)
  FROM _numbered
  GROUP BY number __intrinsic_token_apply_prefix!(_overlap_column, $partition_columns)
);

-- 1 if an interval of the table ends after the next one starts, else 0.
CREATE PERFETTO MACRO _intervals_overlap_in_table(tab TableOrSubquery)
RETURNS Expr AS
(
  SELECT count(*) > 0
  FROM (SELECT ts, dur, lead(ts) OVER (ORDER BY ts) AS next_ts FROM $tab)
  WHERE dur != -1 AND ts + dur > next_ts
);
