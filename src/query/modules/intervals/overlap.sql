-- Overlapping intervals: counts, unions, flattened trees.

INCLUDE PERFETTO MODULE intervals.intersect;

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
CREATE PERFETTO MACRO _intervals_overlap_in_table(intervals TableOrSubquery)
RETURNS Expr AS
(
  SELECT count(*) > 0
  FROM (SELECT ts, dur, lead(ts) OVER (ORDER BY ts) AS next_ts FROM $intervals)
  WHERE dur != -1 AND ts + dur > next_ts
);

-- Roots with the intervals below them. Intervals without a duration are left out.
CREATE PERFETTO MACRO _intervals_merge_root_and_children(
  -- Roots: id, ts, dur.
  roots_table TableOrSubquery,
  -- Intervals: root_id, id, parent_id (NULL: directly below the root), ts, dur.
  children_table TableOrSubquery
)
-- Rows: root_id, root_ts, root_dur, id, parent_id, ts, dur. The last four are NULL for a root without
-- children.
RETURNS TableOrSubquery AS
(
  SELECT
    _root.id AS root_id, _root.ts AS root_ts, _root.dur AS root_dur, _child.id, _child.parent_id,
    _child.ts, _child.dur
  FROM (SELECT id, ts, dur FROM $roots_table WHERE dur > 0) AS _root
  LEFT JOIN (
    SELECT root_id, id, parent_id, ts, dur FROM $children_table WHERE dur > 0
  ) AS _child ON _child.root_id = _root.id
);

-- Roots with the intervals of equal key that overlap them, cut to the root. Intervals without a
-- duration are left out.
CREATE PERFETTO MACRO _intervals_merge_root_and_children_by_intersection(
  -- Roots: id, ts, dur, and the key.
  roots_table TableOrSubquery,
  -- Intervals: id, parent_id, ts, dur, and the key.
  children_table TableOrSubquery,
  -- Column of the key.
  key ColumnName
)
-- Rows: root_id, root_ts, root_dur, id, parent_id (that of an interval without a parent is the
-- root), ts, dur, and the key. The columns of the interval are NULL for a root without children.
RETURNS TableOrSubquery AS
(
  WITH
    _root AS MATERIALIZED (SELECT id, ts, dur, $key FROM $roots_table WHERE dur > 0),
    _child AS MATERIALIZED (SELECT id, parent_id, ts, dur, $key FROM $children_table WHERE dur > 0),
    _overlap AS MATERIALIZED (
      SELECT id_0 AS root_id, id_1 AS id, ts, dur
      FROM _interval_intersect!((_root, _child), ($key))
    )
  SELECT
    _root.id AS root_id, _root.ts AS root_ts, _root.dur AS root_dur, _overlap.id,
    iif(_overlap.id IS NULL, NULL, coalesce(_child.parent_id, _root.id)) AS parent_id,
    _overlap.ts, _overlap.dur, _root.$key
  FROM _root
  LEFT JOIN _overlap ON _overlap.root_id = _root.id
  LEFT JOIN _child ON _child.id = _overlap.id
);

-- The innermost interval of each root at each moment.
CREATE PERFETTO MACRO _intervals_flatten(
  -- Rows of _intervals_merge_root_and_children or _intervals_merge_root_and_children_by_intersection.
  -- Intervals lie inside their parents; those of one parent do not overlap.
  children_with_roots_table TableOrSubquery
)
-- Rows: root_id, id (that of the root where no child is open), ts, dur.
RETURNS TableOrSubquery AS
(
  WITH
    _merged AS MATERIALIZED (
      SELECT root_id, root_ts, root_dur, id, parent_id, ts, dur FROM $children_with_roots_table
    ),
    _node AS MATERIALIZED (
      SELECT root_id, id, ts, ts + dur AS end_ts, 0 AS is_root FROM _merged WHERE id IS NOT NULL
      UNION ALL
      SELECT DISTINCT root_id, root_id, root_ts, root_ts + root_dur, 1 FROM _merged
    ),
    -- Each child with its node above. A parent outside of the table stands for the root.
    _below AS MATERIALIZED (
      SELECT
        c.root_id, iif(p.id IS NULL, c.root_id, p.id) AS above_id, p.id IS NULL AS is_root, c.ts,
        c.ts + c.dur AS end_ts
      FROM _merged AS c
      LEFT JOIN _merged AS p ON p.root_id = c.root_id AND p.id = c.parent_id
      WHERE c.id IS NOT NULL
    ),
    _ordered AS (
      SELECT
        *,
        max(end_ts) OVER (
          PARTITION BY root_id, above_id, is_root ORDER BY ts, end_ts
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS covered
      FROM _below
    ),
    -- The time of a node before each of its children, and after the last one.
    _piece AS (
      SELECT n.root_id, n.id, coalesce(o.covered, n.ts) AS ts, o.ts AS end_ts
      FROM _ordered AS o
      JOIN _node AS n ON n.root_id = o.root_id AND n.id = o.above_id AND n.is_root = o.is_root
      UNION ALL
      SELECT n.root_id, n.id, coalesce(last.end_ts, n.ts), n.end_ts
      FROM _node AS n
      LEFT JOIN (
        SELECT root_id, above_id, is_root, max(end_ts) AS end_ts
        FROM _below
        GROUP BY root_id, above_id, is_root
      ) AS last ON last.root_id = n.root_id AND last.above_id = n.id AND last.is_root = n.is_root
    )
  SELECT root_id, id, ts, end_ts - ts AS dur
  FROM _piece
  WHERE end_ts > ts
  ORDER BY root_id, ts
);
