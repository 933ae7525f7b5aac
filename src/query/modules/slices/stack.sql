-- Stacks of slices: the names of a slice and its ancestors as one number.

-- Returns the hash of the categories and names of a slice and its ancestors.
CREATE PERFETTO FUNCTION _slice_stack_id(
  -- Slice.
  id JOINID(slice.id)
)
-- Hash; 0 without a name.
RETURNS LONG AS
SELECT
  coalesce(
    (
      SELECT hash(group_concat(part, '|'))
      FROM (
        SELECT hash(coalesce(category, '') || '|' || name) AS part
        FROM (
          SELECT -1 AS depth, category, name FROM __intrinsic_slice WHERE id = $id
          UNION ALL
          SELECT depth, category, name FROM ancestor_slice($id)
        )
        WHERE name IS NOT NULL
        ORDER BY depth
      )
      HAVING count(*) > 0
    ),
    0
  );

-- Slices with the number of their stack.
CREATE PERFETTO VIEW slice_with_stack_id(
  -- Slice.
  id ID(slice.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns; -1 if the slice never ended.
  dur DURATION,
  -- Track of the slice.
  track_id JOINID(track.id),
  -- Category of the slice.
  category STRING,
  -- Name of the slice.
  name STRING,
  -- Number of slices that contain the slice.
  depth LONG,
  -- Slice that directly contains the slice.
  parent_id JOINID(slice.id),
  -- Args of the slice.
  arg_set_id ARGSETID,
  -- Start in CPU time of the thread, ns.
  thread_ts TIMESTAMP,
  -- Duration in CPU time of the thread, ns.
  thread_dur DURATION,
  -- CPU instructions of the thread at the start.
  thread_instruction_count LONG,
  -- CPU instructions of the thread during the slice.
  thread_instruction_delta LONG,
  -- Hash of the names of the slice and its ancestors.
  stack_id LONG,
  -- Hash of the parent; 0 without one.
  parent_stack_id LONG
) AS
SELECT
  id, ts, dur, track_id, category, name, depth, parent_id, arg_set_id, thread_ts, thread_dur,
  thread_instruction_count, thread_instruction_delta,
  _slice_stack_id(id) AS stack_id,
  iif(parent_id IS NULL, 0, _slice_stack_id(parent_id)) AS parent_stack_id
FROM slice;

-- Slices with this stack, and their ancestors, each once, in the order of time.
CREATE PERFETTO FUNCTION ancestor_slice_by_stack(
  -- Number of the stack, of slice_with_stack_id.
  stack_hash LONG
)
RETURNS TABLE(
  -- Slice.
  id ID(slice.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns; -1 if the slice never ended.
  dur DURATION,
  -- Track of the slice.
  track_id JOINID(track.id),
  -- Category of the slice.
  category STRING,
  -- Name of the slice.
  name STRING,
  -- Number of slices that contain the slice.
  depth LONG,
  -- Slice that directly contains the slice.
  parent_id JOINID(slice.id),
  -- Args of the slice.
  arg_set_id ARGSETID,
  -- Start in CPU time of the thread, ns.
  thread_ts TIMESTAMP,
  -- Duration in CPU time of the thread, ns.
  thread_dur DURATION
) AS
WITH
  wanted AS (SELECT id FROM slice_with_stack_id WHERE stack_id = $stack_hash),
  found AS (
    SELECT id FROM wanted
    UNION
    SELECT a.id FROM wanted, ancestor_slice(wanted.id) AS a
  )
SELECT
  s.id, s.ts, s.dur, s.track_id, s.category, s.name, s.depth, s.parent_id, s.arg_set_id,
  s.thread_ts, s.thread_dur
FROM found JOIN slice AS s USING (id)
ORDER BY s.ts, s.id;

-- Slices with this stack, and their descendants, each once, in the order of time.
CREATE PERFETTO FUNCTION descendant_slice_by_stack(
  -- Number of the stack, of slice_with_stack_id.
  stack_hash LONG
)
RETURNS TABLE(
  -- Slice.
  id ID(slice.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns; -1 if the slice never ended.
  dur DURATION,
  -- Track of the slice.
  track_id JOINID(track.id),
  -- Category of the slice.
  category STRING,
  -- Name of the slice.
  name STRING,
  -- Number of slices that contain the slice.
  depth LONG,
  -- Slice that directly contains the slice.
  parent_id JOINID(slice.id),
  -- Args of the slice.
  arg_set_id ARGSETID,
  -- Start in CPU time of the thread, ns.
  thread_ts TIMESTAMP,
  -- Duration in CPU time of the thread, ns.
  thread_dur DURATION
) AS
WITH
  wanted AS (SELECT id FROM slice_with_stack_id WHERE stack_id = $stack_hash),
  found AS (
    SELECT id FROM wanted
    UNION
    SELECT d.id FROM wanted, descendant_slice(wanted.id) AS d
  )
SELECT
  s.id, s.ts, s.dur, s.track_id, s.category, s.name, s.depth, s.parent_id, s.arg_set_id,
  s.thread_ts, s.thread_dur
FROM found JOIN slice AS s USING (id)
ORDER BY s.ts, s.id;
