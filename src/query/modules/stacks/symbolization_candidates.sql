-- Frames that have no symbols although their binary is known.

-- Id of a binary in the form that Breakpad symbol files use.
CREATE PERFETTO FUNCTION _to_breakpad_module(
  -- Path of the binary.
  mapping STRING,
  -- Build id, in hex.
  build_id STRING
)
-- Id in upper case, with an age of 0; NULL without a build id.
RETURNS STRING AS
SELECT CASE
  WHEN $build_id IS NULL OR $build_id = '' THEN NULL
  WHEN length($build_id) = 33 THEN upper($build_id)
  WHEN length($build_id) < 32 THEN upper($build_id) || substr(
    '00000000000000000000000000000000', 1, 32 - length($build_id)
  ) || '0'
  ELSE upper(
    substr($build_id, 7, 2) || substr($build_id, 5, 2) || substr($build_id, 3, 2)
    || substr($build_id, 1, 2) || substr($build_id, 11, 2) || substr($build_id, 9, 2)
    || substr($build_id, 15, 2) || substr($build_id, 13, 2) || substr($build_id, 17, 16)
  ) || '0'
END;

-- Addresses of CPU samples and heap profiles that symbols are wanted for, each once.
CREATE PERFETTO TABLE _stacks_symbolization_candidates(
  -- Process.
  upid JOINID(process.id),
  -- Path of the binary.
  module STRING,
  -- Build id of the binary.
  build_id STRING,
  -- Address in the binary.
  rel_pc LONG,
  -- Id of the binary for Breakpad.
  breakpad_module_id STRING
) AS
WITH RECURSIVE
  leaf AS (
    SELECT coalesce(task.upid, t.upid) AS upid, s.callsite_id
    FROM __intrinsic_profiler_sample AS s
    LEFT JOIN __intrinsic_profiler_task_context AS task ON task.id = s.task_context_id
    LEFT JOIN thread AS t ON t.utid = task.utid
    WHERE s.callsite_id IS NOT NULL
    UNION
    SELECT upid, callsite_id FROM heap_profile_allocation WHERE callsite_id IS NOT NULL
  ),
  walk(upid, callsite_id) AS (
    SELECT upid, callsite_id FROM leaf
    UNION
    SELECT walk.upid, c.parent_id
    FROM walk
    CROSS JOIN stack_profile_callsite AS c ON c.id = walk.callsite_id
    WHERE c.parent_id IS NOT NULL
  ),
  address AS (
    SELECT DISTINCT walk.upid, f.mapping, f.rel_pc
    FROM walk
    CROSS JOIN stack_profile_callsite AS c ON c.id = walk.callsite_id
    CROSS JOIN stack_profile_frame AS f ON f.id = c.frame_id
    WHERE f.symbol_set_id IS NULL
  )
SELECT DISTINCT
  a.upid, m.name AS module, m.build_id, a.rel_pc,
  _to_breakpad_module(m.name, m.build_id) AS breakpad_module_id
FROM address AS a
JOIN stack_profile_mapping AS m ON m.id = a.mapping
WHERE m.build_id IS NOT NULL AND m.build_id != '';
