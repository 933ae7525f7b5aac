-- Call tree of samples of Instruments.

INCLUDE PERFETTO MODULE callstacks.stack_profile;

-- Nodes of the call tree without sums.
CREATE PERFETTO TABLE _appleos_instruments_raw_callstacks AS
SELECT *
FROM _callstacks_for_callsites!(
  (SELECT callsite_id FROM instruments_sample WHERE callsite_id IS NOT NULL)
) AS c
ORDER BY c.id;

-- The call tree of all samples.
CREATE PERFETTO TABLE appleos_instruments_samples_summary_tree(
  -- Node.
  id LONG,
  -- Caller.
  parent_id LONG,
  -- Name of the function.
  name STRING,
  -- Binary or library of the frame.
  mapping_name STRING,
  -- Source file, if known.
  source_file STRING,
  -- Line in the source file, if known.
  line_number LONG,
  -- Number of samples in the frame itself.
  self_count LONG,
  -- Number of samples in the frame and in those it calls.
  cumulative_count LONG
) AS
SELECT
  c.id, c.parent_id, c.name, c.mapping_name, c.source_file, c.line_number, c.self_count,
  total.cumulative_count
FROM _callstacks_self_to_cumulative!(
  (SELECT id, parent_id, self_count FROM _appleos_instruments_raw_callstacks)
) AS total
JOIN _appleos_instruments_raw_callstacks AS c USING (id)
ORDER BY c.id;
