-- Macros that help to write macros.

-- A macro that gives its argument.
CREATE PERFETTO MACRO __unparenthesize_identity(
  -- Any expression.
  x Expr
)
-- The argument.
RETURNS TableOrSubquery AS
$x;

-- Removes the brackets of a list: (a, b) becomes a, b.
CREATE PERFETTO MACRO metasql_unparenthesize_exprlist(
  -- List in brackets.
  expr ExprList
)
-- The list without brackets.
RETURNS UnparenExprList AS
__intrinsic_token_apply!(__unparenthesize_identity, $expr);
