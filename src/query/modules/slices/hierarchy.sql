-- Ancestors and descendants of slices, with the slice itself.

-- The slice, then the slices that contain it, outermost first.
CREATE PERFETTO FUNCTION _slice_ancestor_and_self(
  -- Slice.
  slice_id JOINID(slice.id)
)
RETURNS TABLE(
  -- Slice.
  id ID(slice.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Track.
  track_id JOINID(track.id),
  -- Category.
  category STRING,
  -- Name.
  name STRING,
  -- Number of slices that contain the slice.
  depth LONG,
  -- Slice that directly contains the slice.
  parent_id JOINID(slice.id),
  -- Args.
  arg_set_id ARGSETID,
  -- Start in CPU time of the thread, ns.
  thread_ts TIMESTAMP,
  -- Duration in CPU time of the thread, ns.
  thread_dur LONG
) AS
SELECT id, ts, dur, track_id, category, name, depth, parent_id, arg_set_id, thread_ts, thread_dur
FROM slice
WHERE id = $slice_id
UNION ALL
SELECT id, ts, dur, track_id, category, name, depth, parent_id, arg_set_id, thread_ts, thread_dur
FROM ancestor_slice($slice_id);

-- The slice, then the slices that it contains.
CREATE PERFETTO FUNCTION _slice_descendant_and_self(
  -- Slice.
  slice_id JOINID(slice.id)
)
RETURNS TABLE(
  -- Slice.
  id ID(slice.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Track.
  track_id JOINID(track.id),
  -- Category.
  category STRING,
  -- Name.
  name STRING,
  -- Number of slices that contain the slice.
  depth LONG,
  -- Slice that directly contains the slice.
  parent_id JOINID(slice.id),
  -- Args.
  arg_set_id ARGSETID,
  -- Start in CPU time of the thread, ns.
  thread_ts TIMESTAMP,
  -- Duration in CPU time of the thread, ns.
  thread_dur LONG
) AS
SELECT id, ts, dur, track_id, category, name, depth, parent_id, arg_set_id, thread_ts, thread_dur
FROM slice
WHERE id = $slice_id
UNION ALL
SELECT id, ts, dur, track_id, category, name, depth, parent_id, arg_set_id, thread_ts, thread_dur
FROM descendant_slice($slice_id);

-- Rows whose column is not NULL, each attached to its nearest ancestor whose column is not NULL.
CREATE PERFETTO MACRO _slice_remove_nulls_and_reparent(
  -- Table with columns id, parent_id, depth and the named one. Parents are in the same table.
  slice_table TableOrSubquery,
  -- Column that decides which rows stay.
  column_name ColumnName
)
-- Rows id, parent_id, depth and the named column.
RETURNS TableOrSubquery AS
(
  WITH RECURSIVE
    _rnr_source AS MATERIALIZED (SELECT id, parent_id, depth, $column_name FROM $slice_table),
    _rnr_walk(_id, _kept) AS (
      SELECT id, NULL FROM _rnr_source WHERE parent_id IS NULL
      UNION ALL
      SELECT child.id, iif(parent.$column_name IS NULL, _rnr_walk._kept, parent.id)
      FROM _rnr_walk
      CROSS JOIN _rnr_source AS parent ON parent.id = _rnr_walk._id
      CROSS JOIN _rnr_source AS child ON child.parent_id = _rnr_walk._id
    )
  SELECT _rnr_source.id, _rnr_walk._kept AS parent_id, _rnr_source.depth, _rnr_source.$column_name
  FROM _rnr_walk
  JOIN _rnr_source ON _rnr_source.id = _rnr_walk._id
  WHERE _rnr_source.$column_name IS NOT NULL
);
