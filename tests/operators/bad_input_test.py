#!/usr/bin/env python3
"""Wrong statements of the dialect: clear errors, or the specified result; never a crash."""
import pathlib
import tempfile
import unittest

from checks import Checks


class BadInput(Checks):
    def test_recursion_without_end(self):
        error = self.error('CREATE PERFETTO FUNCTION f(n LONG) RETURNS LONG AS SELECT f($n + 1)', 'SELECT f(1)')
        self.assertIn('f', error)
        self.error('CREATE PERFETTO FUNCTION f(n LONG) RETURNS LONG AS SELECT f($n + 1)',
                   "SELECT experimental_memoize('f')", 'SELECT f(1)')
        error = self.error('CREATE PERFETTO MACRO a(x Expr) RETURNS Expr AS b!($x)',
                           'CREATE PERFETTO MACRO b(x Expr) RETURNS Expr AS a!($x)', 'SELECT a!(1)')
        self.assertIn("recursive macro expansion: 'a'", error)

    def test_macros_that_grow(self):
        doubling = [f'CREATE PERFETTO MACRO m{i}(x Expr) RETURNS Expr AS m{i + 1}!($x, $x)'.replace('$x, $x', '$x + $x')
                    for i in range(40)]
        self.error(*doubling, 'CREATE PERFETTO MACRO m40(x Expr) RETURNS Expr AS $x', 'SELECT m0!(1)')

    def test_division_by_zero_in_a_macro_argument(self):
        self.include('intervals.intersect')
        self.sql('CREATE PERFETTO MACRO m(x Expr) RETURNS Expr AS ($x) + 1')
        self.table('a', ['id', 'ts', 'dur'], [(1, 2, 3)])
        self.same('SELECT m!(1 / 0), m!(1 % 0)', 'SELECT NULL, NULL')
        self.same('SELECT count(*) FROM _interval_intersect_single!(1 / 0, 5, a)', 'SELECT 1')
        self.run_all()

    def test_unknown_modules(self):
        self.assertIn('slices.with_context', self.error('INCLUDE PERFETTO MODULE slices.with_contxt'))
        self.assertIn("unknown module 'slices.nope'", self.error('INCLUDE PERFETTO MODULE slices.nope'))
        self.assertIn("Package 'nope.foo' not found", self.error('INCLUDE PERFETTO MODULE nope.foo'))

    def test_wrong_types(self):
        self.assertIn("column 'a' was inferred to be LONG, but later received a value of type STRING",
                      self.error("CREATE PERFETTO TABLE t AS SELECT 1 AS a UNION ALL SELECT 'x'"))
        self.assertIn("column 'a' declared as LONG in the schema, but STRING found",
                      self.error("CREATE PERFETTO TABLE t(a LONG) AS SELECT 'x' AS a"))
        self.assertIn('Unable to represent 9007199254740993', self.error(
            'CREATE PERFETTO TABLE t AS SELECT 1.5 AS a UNION ALL SELECT 9007199254740993'))

    def test_overlapping_spans(self):
        self.table('a', ['ts', 'dur', 'x'], [(0, 10, 1), (5, 10, 2)])
        self.table('b', ['ts', 'dur', 'y'], [(0, 20, 3)])
        self.sql('CREATE VIRTUAL TABLE s USING SPAN_JOIN(a, b)')
        self.same('SELECT ts, dur, x, y FROM s', 'VALUES (0, 10, 1, 3), (5, 10, 2, 3)')
        self.run_all()

    def test_null_partitions(self):
        self.table('a', ['ts', 'dur', 'p', 'x'], [(0, 10, None, 1), (0, 10, 1, 2)])
        self.table('b', ['ts', 'dur', 'p', 'y'], [(5, 10, None, 3), (5, 10, 1, 4)])
        self.sql('CREATE VIRTUAL TABLE s USING SPAN_JOIN(a PARTITIONED p, b PARTITIONED p)')
        self.same('SELECT ts, dur, p, x, y FROM s', 'VALUES (5, 5, 1, 2, 4)')
        self.table('c', ['ts', 'dur', 'p', 'x'], [])
        self.sql('CREATE VIRTUAL TABLE o USING SPAN_OUTER_JOIN(c PARTITIONED p, b PARTITIONED p)')
        self.same('SELECT ts, dur, p, x, y FROM o', 'VALUES (5, 10, 1, NULL, 4)')
        self.run_all()

    def test_nul_bytes(self):
        self.error('SELECT 1\0, 2')
        self.error("CREATE PERFETTO TABLE t AS SELECT '\0' AS a\0")
        self.same("SELECT length(CAST(x'610062' AS BLOB))", 'SELECT 3')
        self.run_all()


class UserModules(Checks):
    def test_sql_path(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder, 'mine')
            (root / 'sub').mkdir(parents=True)
            (root / 'one.sql').write_text('CREATE PERFETTO FUNCTION one() RETURNS LONG AS SELECT 1;')
            (root / 'sub/two.sql').write_text('INCLUDE PERFETTO MODULE mine.one;\n'
                                              'CREATE PERFETTO VIEW two AS SELECT one() + 1 AS two;')
            pathlib.Path(folder, 'outside.sql').write_text('CREATE PERFETTO VIEW outside AS SELECT 1 AS x;')
            (root / 'link.sql').symlink_to('../outside.sql')
            self.inputs = ['--no-trace', '--sql-path', str(root), '--sql-path', f'{root}@other']
            self.include('mine.sub.two')
            self.same('SELECT two FROM two', 'SELECT 2')
            self.run_all()
            self.error('INCLUDE PERFETTO MODULE mine.link')
            self.error('INCLUDE PERFETTO MODULE mine.three')
            self.error("ATTACH 'file.db' AS x")


if __name__ == '__main__':
    unittest.main()
