#!/usr/bin/env python3
"""Rows of `query --format arrow` as pyarrow reads them are those of --format json; DuckDB agrees.

TRACEBRAID names the program. Tests that need pyarrow or duckdb are skipped if they are not installed.
"""
import json
import os
import pathlib
import random
import subprocess
import unittest

try:
    import pyarrow
    import pyarrow.ipc
except ImportError:
    pyarrow = None
try:
    import duckdb
except ImportError:
    duckdb = None

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / 'examples'
MERGED = [str(EXAMPLES / name) for name in ('phone.pftrace', 'watch.pftrace', 'app.json')]
MERGED += ['--manifest', str(EXAMPLES / 'manifest.json')]


def query(sql, how, inputs=('--no-trace',)):
    return subprocess.run([PROGRAM, 'query', *inputs, sql, '--format', how], capture_output=True, timeout=300)


def random_select(chance):
    """A statement of random types, NULLs and sizes; its rows depend on the row number only."""
    columns = []
    for i in range(chance.randint(1, 6)):
        value = chance.choice(['x * 7919 - 5000000000', 'x / 8.0', "'t' || (x % {})".format(chance.choice([3, 50, 10 ** 6])),
                               "printf('%.*c', x % 90, 'é')", "x'00ff10'", 'NULL'])
        if chance.random() < 0.5:
            value = f'CASE WHEN x % {chance.randint(2, 9)} != 0 THEN {value} END'
        columns.append(f'{value} AS c{i}')
    rows = chance.choice([0, 1, 7, 8, 9, 63, 64, 65, 1000])
    return (f'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT {max(rows, 1)}) '
            f'SELECT {", ".join(columns)} FROM n{"" if rows else " WHERE 0"}')


class ArrowStream(unittest.TestCase):
    def read(self, sql, inputs=('--no-trace',)):
        if pyarrow is None:
            self.skipTest('there is no pyarrow to read with')
        done = query(sql, 'arrow', inputs)
        self.assertEqual(done.returncode, 0, done.stderr)
        table = pyarrow.ipc.open_stream(done.stdout).read_all()
        table.validate(full=True)
        return table

    def assert_same(self, sql, inputs=('--no-trace',)):
        table = self.read(sql, inputs)
        expected = json.loads(query(sql, 'json', inputs).stdout)

        def as_json(value):
            return {'blob': value.hex()} if isinstance(value, bytes) else value
        rows = [{name: as_json(value) for name, value in row.items()} for row in table.to_pylist()]
        self.assertEqual(len(rows), len(expected), sql)
        self.assertEqual(rows, expected, sql)
        return table

    def test_types(self):
        table = self.assert_same("SELECT 1 AS i, 2.5 AS r, 'x' AS t, x'00ff' AS b, NULL AS n")
        self.assertEqual([str(field.type) for field in table.schema],
                         ['int64', 'double', 'dictionary<values=string, indices=int32, ordered=0>', 'binary', 'null'])
        self.assertTrue(all(field.nullable for field in table.schema))

    def test_meanings_of_columns(self):
        """Through views, joins and aliases; not of expressions, nor of one SELECT of several."""
        def meanings(sql):
            schema = self.read(sql, MERGED).schema
            return [(field.metadata or {}).get(b'tracebraid.type', b'').decode() for field in schema]
        self.assertEqual(meanings('SELECT id, ts AS t, dur, track_id, name, category, depth, arg_set_id FROM slice'),
                         ['row:slice', 'time_ns', 'duration_ns', 'row:track', '', '', '', ''])
        self.assertEqual(meanings('SELECT s.ts, s.utid, t.upid, ts + 0, max(ts), t.id FROM sched s JOIN thread t '
                                  'USING (utid)'),
                         ['time_ns', 'row:thread', 'row:process', '', '', 'row:thread'])
        self.assertEqual(meanings('SELECT ts FROM slice UNION ALL SELECT dur FROM slice'), [''])
        self.assertEqual(meanings("SELECT 1 AS ts, 'x' AS dur"), ['', ''])

    def test_tables_of_traces(self):
        for name in ('slice', 'thread', 'sched', 'args', 'process', 'counter', 'metadata', 'clock_snapshot'):
            columns = query(f'SELECT * FROM {name} LIMIT 0', 'csv', MERGED).stdout.decode().strip().split(',')
            names = ', '.join(f'"{column}"' for column in dict.fromkeys(columns))
            self.assert_same(f'SELECT {names} FROM {name}', MERGED)

    # The dictionary grows over several batches of 65,536 rows.
    def test_dictionaries_grow(self):
        table = self.assert_same('WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 140000) '
                                 "SELECT x, 't' || (x / 1000) AS t, CASE WHEN x > 100000 THEN 'late' END AS u FROM n")
        self.assertGreater(table.column('t').num_chunks, 1)

    def test_random_tables(self):
        chance = random.Random(23)
        for _ in range(15):
            self.assert_same(random_select(chance))

    @unittest.skipIf(duckdb is None or pyarrow is None, 'there is no duckdb with pyarrow')
    def test_duckdb_reads_it(self):
        sql = 'SELECT name, dur FROM slice'
        slices = self.read(sql, MERGED)  # DuckDB finds the variable
        self.assertGreater(slices.num_rows, 400)
        counts = duckdb.sql('SELECT name, count(*) AS n, sum(dur) AS d FROM slices GROUP BY 1 ORDER BY 1').fetchall()
        grouped = query('SELECT name, count(*) AS n, sum(dur) AS d FROM slice GROUP BY 1 ORDER BY 1', 'json', MERGED)
        self.assertEqual([[row['name'], row['n'], row['d']] for row in json.loads(grouped.stdout)],
                         [list(row) for row in counts])

    def test_errors_leave_no_end_of_stream(self):
        done = query("SELECT x FROM (SELECT 1 AS x) WHERE nope", 'arrow')
        self.assertEqual((done.returncode, done.stdout), (4, b''))
        self.assertIn(b'no such column: nope', done.stderr)
        done = query('SELECT 1 AS a; SELECT 2 AS b', 'arrow')
        self.assertEqual(done.returncode, 2)
        self.assertIn(b'another', done.stderr)
        self.assertFalse(done.stdout.endswith(b'\xff\xff\xff\xff\0\0\0\0'))

    def test_closed_pipe_is_no_error(self):
        sql = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 3000000) SELECT x FROM n'
        program = subprocess.Popen([PROGRAM, 'query', '--no-trace', sql, '--format', 'arrow'],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        program.stdout.read(100)
        program.stdout.close()
        self.assertEqual(program.stderr.read(), b'')
        program.stderr.close()
        self.assertEqual(program.wait(timeout=60), 0)


if __name__ == '__main__':
    unittest.main()
