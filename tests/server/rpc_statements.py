"""The statements of check rpc_golden. Each is a text or bytes, run on a new workspace over the examples."""

NUMBERS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {}) "
FAILS_BEHIND_ROWS = (NUMBERS.format(20000) +
                     "SELECT CASE WHEN n < 20000 THEN n ELSE abs(-9223372036854775808) END AS x FROM c")

STATEMENTS = [
    # All types of cells.
    "SELECT 1 AS a, 'x' AS b, NULL AS c, 2.5 AS d",
    "SELECT NULL",
    "SELECT 0, 1, -1, 127, 128, 16383, 16384",
    "SELECT 9223372036854775807 AS most, -9223372036854775808 AS least",
    "SELECT 9007199254740993 AS beyond_double",
    "SELECT 0.0, -0.0, 1e308, 5e-324, 0.1",
    "SELECT 9e999 AS infinity, -9e999 AS minus_infinity",
    "SELECT '' AS empty, 'a' AS one, 'a b' AS two",
    "SELECT 'Grüße', '日本語', '🦊'",
    "SELECT x'' AS empty, x'00' AS nul, x'0102ff' AS three",
    "SELECT zeroblob(1000) AS zeros",
    "SELECT 'a' || char(0) || 'b' AS cut_at_nul, 'c' AS next",
    "SELECT char(0) AS only_nul",
    "SELECT CAST(x'ff41fe' AS TEXT) AS no_utf8",
    "SELECT 1, 2.5, 'x', x'01', NULL UNION ALL SELECT 'y', x'02', NULL, 3, 4.5",
    "SELECT NULL AS n UNION ALL SELECT 1 UNION ALL SELECT NULL UNION ALL SELECT 2",
    "SELECT 2.5 AS d UNION ALL SELECT 3 UNION ALL SELECT NULL",
    "VALUES (1, 'a'), (2, 'b'), (3, NULL)",
    # Names of columns.
    "SELECT 1 AS \"a b\", 2 AS \"a b\", 3 AS \"\"",
    "SELECT 1 + 1",
    "SELECT 1 AS Größe",
    # No columns, no rows.
    "CREATE PERFETTO TABLE made AS SELECT 1 AS x",
    "CREATE PERFETTO VIEW seen AS SELECT 2 AS y",
    "CREATE PERFETTO FUNCTION twice(x LONG) RETURNS LONG AS SELECT $x * 2",
    "SELECT 1 AS a, 'x' AS b WHERE 0",
    "SELECT * FROM slice WHERE id < 0",
    "INCLUDE PERFETTO MODULE slices.with_context",
    # Several statements.
    "SELECT 1 AS a; SELECT 2 AS b, 3 AS c",
    "SELECT 1; SELECT 2 WHERE 0",
    "SELECT 1 WHERE 0; SELECT 2 WHERE 0",
    "CREATE PERFETTO TABLE t AS SELECT 7 AS x; SELECT x FROM t",
    "SELECT 1; CREATE PERFETTO TABLE t AS SELECT 7 AS x",
    "CREATE PERFETTO FUNCTION f() RETURNS LONG AS SELECT 5; SELECT f(); SELECT f() + 1 AS g",
    "SELECT 1;;; SELECT 2;; ;",
    "SELECT 1 -- a comment\n; /* another */ SELECT 2 /* last */",
    "SELECT 1 AS suppress_query_output; SELECT 2",
    "SELECT 1; SELECT 2 AS suppress_query_output",
    "CREATE PERFETTO MACRO one() RETURNS Expr AS 1; SELECT one!() AS m",
    # Blanks and text.
    "\u00a0SELECT\u00a01\u00a0AS\u00a0a;\u00a0",
    "SELECT 'a\u00a0b' AS with_blank",
    "  \n\t SELECT 1  \n ",
    "SELECT ';' AS semicolon; SELECT '--' AS dashes",
    # No statement.
    "",
    "   ",
    ";",
    "-- only a comment",
    # Errors before rows.
    "SELECT nope",
    "SELECT 1,\n  nope",
    "SELECT * FROM nowhere",
    "SELEC 1",
    "SELECT 'open",
    "SELECT 1; SELECT nope",
    "SELECT nope; SELECT 1",
    "SELECT abs(-9223372036854775808)",
    "INCLUDE PERFETTO MODULE no.such.module",
    "CREATE PERFETTO TABLE broken AS SELECT nope",
    "SELECT EXTRACT_ARG(1)",
    # An error behind rows.
    FAILS_BEHIND_ROWS,
    # Sizes.
    "SELECT zeroblob(200000) AS b, 'x' AS t",
    "SELECT printf('%.*c', 200000, 'a') AS long_text",
    NUMBERS.format(3) + "SELECT n, printf('%.*c', 100000, 'a') AS t FROM c",
    NUMBERS.format(100000) + "SELECT n, n * 0.5 AS half, 'text ' || n AS t, nullif(n % 3, 0) AS m FROM c",
    NUMBERS.format(100000) + "SELECT n FROM c",
    # Tables of the trace.
    "SELECT ts, dur, name, depth FROM slice ORDER BY id LIMIT 20",
    "SELECT count(*) AS n, min(ts) AS first FROM slice",
    "SELECT upid, pid, name FROM process ORDER BY upid",
    "SELECT name, key, value FROM stats WHERE 0",
]
