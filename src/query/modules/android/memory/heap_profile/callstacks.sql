-- Callstacks of allocations of heap profiles.

INCLUDE PERFETTO MODULE callstacks.stack_profile;

-- The call trees of allocations.
CREATE PERFETTO MACRO _android_heap_profile_callstacks_for_allocations(
  -- Allocations: callsite_id, count, size. Rows of frees have negative numbers.
  allocations TableOrSubquery
)
-- Rows: id, parent_id, callsite_id, name, mapping_name, source_file, line_number, self_count and
-- self_size (what is still allocated), self_alloc_count and self_alloc_size (what was allocated).
RETURNS TableOrSubquery AS
(
  WITH _sum AS MATERIALIZED (
    SELECT
      callsite_id, sum(count) AS self_count, sum(size) AS self_size,
      sum(max(count, 0)) AS self_alloc_count, sum(max(size, 0)) AS self_alloc_size
    FROM $allocations
    GROUP BY callsite_id
  )
  SELECT
    c.id, c.parent_id, c.callsite_id, c.name, c.mapping_name, c.source_file, c.line_number,
    iif(c.is_leaf_function_in_callsite_frame, coalesce(_sum.self_count, 0), 0) AS self_count,
    iif(c.is_leaf_function_in_callsite_frame, coalesce(_sum.self_size, 0), 0) AS self_size,
    iif(c.is_leaf_function_in_callsite_frame, coalesce(_sum.self_alloc_count, 0), 0)
      AS self_alloc_count,
    iif(c.is_leaf_function_in_callsite_frame, coalesce(_sum.self_alloc_size, 0), 0)
      AS self_alloc_size
  FROM _callstacks_for_stack_profile_samples!(_sum) AS c
  LEFT JOIN _sum USING (callsite_id)
);
