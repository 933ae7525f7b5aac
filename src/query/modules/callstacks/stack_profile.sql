-- Call trees of callstacks, with a node of its own for each inlined function.

INCLUDE PERFETTO MODULE graphs.hierarchy;

INCLUDE PERFETTO MODULE graphs.scan;

-- Symbols of each frame: id (row of stack_profile_frame), first_symbol_id (the innermost inlined
-- function) and last_symbol_id (the function that the others are inlined into). Both are NULL for a
-- frame without symbols.
CREATE PERFETTO TABLE _callstack_spf_summary AS
WITH symbol_set AS MATERIALIZED (
  SELECT symbol_set_id, min(id) AS first_symbol_id, max(id) AS last_symbol_id
  FROM stack_profile_symbol
  GROUP BY symbol_set_id
)
SELECT f.id, s.first_symbol_id, s.last_symbol_id
FROM stack_profile_frame AS f
LEFT JOIN symbol_set AS s USING (symbol_set_id)
ORDER BY f.id;

-- A row for each function of each callsite: callsite_id, symbol_id, parent_callsite_id and
-- parent_symbol_id (the function that called it), name, mapping_name, source_file, line_number,
-- inlined, and is_leaf_function_in_callsite_frame, which is 1 for the innermost function of the
-- callsite. Frames without a mapping have no rows.
CREATE PERFETTO TABLE _callstack_spc_raw_forest AS
SELECT
  c.id AS callsite_id,
  s.id AS symbol_id,
  iif(s.id IS f.last_symbol_id, c.parent_id, c.id) AS parent_callsite_id,
  iif(
    s.id IS f.last_symbol_id,
    (
      SELECT caller_frame.first_symbol_id
      FROM stack_profile_callsite AS caller
      JOIN _callstack_spf_summary AS caller_frame ON caller_frame.id = caller.frame_id
      WHERE caller.id = c.parent_id
    ),
    s.id + 1
  ) AS parent_symbol_id,
  coalesce(
    demangle(coalesce(s.name, raw.deobfuscated_name, raw.name)),
    s.name, raw.deobfuscated_name, raw.name, 'unknown'
  ) AS name,
  m.name AS mapping_name,
  s.source_file,
  s.line_number,
  coalesce(s.inlined, 0) AS inlined,
  s.id IS f.first_symbol_id AS is_leaf_function_in_callsite_frame
FROM stack_profile_callsite AS c
CROSS JOIN _callstack_spf_summary AS f ON f.id = c.frame_id
CROSS JOIN stack_profile_frame AS raw ON raw.id = c.frame_id
CROSS JOIN stack_profile_mapping AS m ON m.id = raw.mapping
LEFT JOIN stack_profile_symbol AS s
  ON s.symbol_set_id = raw.symbol_set_id AND s.id BETWEEN f.first_symbol_id AND f.last_symbol_id
ORDER BY c.id, s.id DESC;

-- The same as trees: id, parent_id, callsite_id, name, mapping_name, source_file, line_number,
-- inlined, is_leaf_function_in_callsite_frame. Callers come before the functions that they call.
CREATE PERFETTO TABLE _callstack_spc_forest AS
WITH numbered AS MATERIALIZED (
  SELECT _auto_id AS id, * FROM _callstack_spc_raw_forest
),
innermost AS MATERIALIZED (
  SELECT callsite_id, id FROM numbered WHERE is_leaf_function_in_callsite_frame
)
SELECT
  n.id,
  -- The rows of a callsite are next to each other, the outermost function first.
  iif(n.parent_callsite_id IS n.callsite_id, n.id - 1, caller.id) AS parent_id,
  n.callsite_id, n.name, n.mapping_name, n.source_file, n.line_number, n.inlined,
  n.is_leaf_function_in_callsite_frame
FROM numbered AS n
LEFT JOIN innermost AS caller ON caller.callsite_id = n.parent_callsite_id
ORDER BY n.id;

-- The functions of callsites and all that called them.
CREATE PERFETTO MACRO _callstacks_for_stack_profile_samples(
  -- Table with the column callsite_id.
  spc_samples TableOrSubquery
)
-- Rows of _callstack_spc_forest: id, parent_id, callsite_id, name, mapping_name, source_file,
-- line_number, inlined, is_leaf_function_in_callsite_frame.
RETURNS TableOrSubquery AS
(
  SELECT
    f.id, f.parent_id, f.callsite_id, f.name, f.mapping_name, f.source_file, f.line_number,
    f.inlined, f.is_leaf_function_in_callsite_frame
  FROM _tree_reachable_ancestors_or_self!(
    _callstack_spc_forest,
    (
      SELECT f.id
      FROM (SELECT DISTINCT callsite_id FROM $spc_samples) AS s
      JOIN _callstack_spc_forest AS f USING (callsite_id)
      WHERE f.is_leaf_function_in_callsite_frame
    )
  ) AS used
  JOIN _callstack_spc_forest AS f USING (id)
);

-- The call trees of samples, which count as one each.
CREATE PERFETTO MACRO _callstacks_for_callsites(
  -- Table with the column callsite_id, a row for each sample.
  samples TableOrSubquery
)
-- Rows: id, parent_id, callsite_id, name, mapping_name, source_file, line_number, self_count (samples in
-- the function itself).
RETURNS TableOrSubquery AS
(
  SELECT
    id, parent_id, callsite_id, name, mapping_name, source_file, line_number,
    self_value AS self_count
  FROM _callstacks_for_callsites_weighted!((SELECT callsite_id, 1 AS value FROM $samples))
);

-- The call trees of samples with weights.
CREATE PERFETTO MACRO _callstacks_for_callsites_weighted(
  -- Table with the columns callsite_id and value, a row for each sample.
  samples TableOrSubquery
)
-- Rows: id, parent_id, callsite_id, name, mapping_name, source_file, line_number, self_value (sum of the
-- weights of the samples in the function itself).
RETURNS TableOrSubquery AS
(
  WITH _sum AS MATERIALIZED (
    SELECT callsite_id, sum(value) AS self_value FROM $samples GROUP BY callsite_id
  )
  SELECT
    c.id, c.parent_id, c.callsite_id, c.name, c.mapping_name, c.source_file, c.line_number,
    iif(c.is_leaf_function_in_callsite_frame, coalesce(_sum.self_value, 0), 0) AS self_value
  FROM _callstacks_for_stack_profile_samples!(_sum) AS c
  LEFT JOIN _sum USING (callsite_id)
);

-- The sums of call trees: a function and all that it called.
CREATE PERFETTO MACRO _callstacks_self_to_cumulative(
  -- Table with the columns id, parent_id, self_count.
  callstacks TableOrSubquery
)
-- Rows: id, cumulative_count.
RETURNS TableOrSubquery AS
(
  WITH _node AS MATERIALIZED (SELECT id, parent_id, self_count FROM $callstacks)
  SELECT id, cumulative_count
  FROM _graph_aggregating_scan!(
    (
      SELECT id AS source_node_id, parent_id AS dest_node_id
      FROM _node
      WHERE parent_id IS NOT NULL
    ),
    (
      SELECT id, self_count AS cumulative_count
      FROM _node
      WHERE id NOT IN (SELECT parent_id FROM _node WHERE parent_id IS NOT NULL)
    ),
    (cumulative_count),
    (
      WITH _below AS (
        SELECT id, sum(cumulative_count) AS below FROM $table GROUP BY id
      )
      SELECT _below.id, _below.below + node.self_count AS cumulative_count
      FROM _below
      JOIN $callstacks AS node USING (id)
    )
  )
);
