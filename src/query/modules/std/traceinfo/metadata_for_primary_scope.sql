-- Metadata of the trace file and the machine that a trace is mainly about.

-- The metadata of the first trace file and of the machine with the number 0, where a name has
-- several values: name, str_value, int_value.
CREATE PERFETTO TABLE _metadata_for_primary_scope AS
SELECT name, str_value, int_value
FROM (
  SELECT
    m.name, m.str_value, m.int_value,
    row_number() OVER (
      PARTITION BY m.name
      ORDER BY coalesce(machine.raw_id, 0) != 0, coalesce(m.trace_id, -1), m.id
    ) AS number
  FROM metadata AS m
  LEFT JOIN machine ON machine.id = m.machine_id
)
WHERE number = 1
ORDER BY name;

-- The text of a name of the metadata, for the main trace file and machine.
CREATE PERFETTO FUNCTION _metadata_primary_str(
  -- Name.
  name STRING
)
-- Text, or NULL.
RETURNS STRING AS
SELECT str_value FROM _metadata_for_primary_scope WHERE name = $name;

-- The number of a name of the metadata, for the main trace file and machine.
CREATE PERFETTO FUNCTION _metadata_primary_int(
  -- Name.
  name STRING
)
-- Number, or NULL.
RETURNS LONG AS
SELECT int_value FROM _metadata_for_primary_scope WHERE name = $name;
