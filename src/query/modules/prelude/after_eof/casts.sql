-- Macros that convert values.

-- Converts a value to an integer.
CREATE PERFETTO MACRO cast_int(
  -- Value.
  value Expr
)
-- Integer, or NULL.
RETURNS Expr AS CAST($value AS INT);

-- Converts a value to a double.
CREATE PERFETTO MACRO cast_double(
  -- Value.
  value Expr
)
-- Double, or NULL.
RETURNS Expr AS CAST($value AS REAL);

-- Converts a value to a text.
CREATE PERFETTO MACRO cast_string(
  -- Value.
  value Expr
)
-- Text, or NULL.
RETURNS Expr AS CAST($value AS TEXT);
