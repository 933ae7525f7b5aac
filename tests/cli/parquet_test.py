#!/usr/bin/env python3
"""Parquet and Arrow exports as pyarrow and DuckDB read them; rows of --format ndjson as DuckDB and jq read them.

TRACEBRAID names the program. Skipped with a message if the build has no Arrow, except with TRACEBRAID_ARROW=1.
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

try:
    import pyarrow
    import pyarrow.ipc
    import pyarrow.parquet
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


def run(*arguments):
    force = ['--force'] if arguments[0] == 'export' else []
    return subprocess.run([PROGRAM, *arguments, *force], capture_output=True, text=True, timeout=300)


def rows(sql):
    done = run('query', *MERGED, sql, '--format', 'jsonl')
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()[1:]]


def read(path):
    if path.endswith('.parquet'):
        return pyarrow.parquet.read_table(path)
    with pyarrow.memory_map(path) as source:
        return pyarrow.ipc.open_file(source).read_all()


class Parquet(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix='tracebraid-parquet-')
        self.addCleanup(shutil.rmtree, self.dir)
        probe = run('export', *MERGED, '--to', 'parquet', '--query', 'SELECT 1 AS one', '-o', self.path('probe'))
        if 'pyarrow' in probe.stderr and not os.environ.get('TRACEBRAID_ARROW'):
            self.assertEqual(probe.returncode, 3)
            self.skipTest('the program was built without Arrow')
        self.assertEqual(probe.returncode, 0, probe.stderr)
        if pyarrow is None:
            self.skipTest('there is no pyarrow to read with')

    def path(self, name):
        return os.path.join(self.dir, name)

    def same(self, table, sql):
        got = [list(row.values()) for row in table.to_pylist()]
        self.assertEqual(got, rows(sql), sql)

    def tables(self, names):
        """Returns all rows of each table, by the program's SQL."""
        sql = pathlib.Path(self.path('tables.sql'))
        sql.write_text(';'.join(f'SELECT * FROM {name}' for name in names))
        done = run('query', *MERGED, '--sql-file', str(sql), '--format', 'jsonl')
        self.assertEqual(done.returncode, 0, done.stderr)
        return [[json.loads(line) for line in rows.strip('\n').split('\n')[1:]] for rows in done.stdout.split('\n\n')]

    def test_tables_are_the_same(self):
        for kind in ('parquet', 'arrow'):
            out = self.path(kind)
            done = run('export', *MERGED, '--to', kind, '-o', out)
            self.assertEqual(done.returncode, 0, done.stderr)
            names = sorted(name.removesuffix(f'.{kind}') for name in os.listdir(out)
                           if not name.startswith('.'))
            self.assertGreater(len(names), 100)
            for name, wanted in zip(names, self.tables(names), strict=True):
                table = read(f'{out}/{name}.{kind}')
                self.assertEqual([list(row.values()) for row in table.to_pylist()], wanted, name)
            texts = read(f'{out}/slice.{kind}').schema.field('name').type
            self.assertTrue(pyarrow.types.is_dictionary(texts), texts)

    def test_a_part_and_a_query(self):
        out = self.path('part.parquet')
        done = run('export', *MERGED, '--to', 'parquet', '--table', 'slice', '--machine', 'watch', '-o', out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.same(read(out), '''SELECT s.* FROM slice s JOIN track t ON t.id = s.track_id
            JOIN machine m ON m.id = t.machine_id WHERE m.name = 'watch' ORDER BY s.id''')
        sql = "SELECT 1 AS a, 'x' AS b, 0.5 AS c, NULL AS d UNION ALL SELECT NULL, 'y', 2, NULL"
        done = run('export', *MERGED, '--to', 'parquet', '--query', sql, '-o', out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(read(out).to_pydict(), {'a': [1, None], 'b': ['x', 'y'], 'c': [0.5, 2.0], 'd': [None, None]})

    def test_parts(self):
        start, = rows('SELECT trace_start()')[0]
        low, high = start + 100_000_000, start + 200_000_000
        in_window = f's.ts < {high} AND (s.ts >= {low} OR s.dur < 0 OR s.ts + s.dur > {low})'
        of_track = """SELECT s.* FROM slice s JOIN __intrinsic_track k ON k.id = s.track_id
            LEFT JOIN __intrinsic_thread t ON t.id = k.utid JOIN machine m ON m.id = k.machine_id WHERE """
        pid, upid = rows("""SELECT pid, upid FROM process WHERE upid IN (SELECT upid FROM slice
            JOIN thread_track k ON k.id = track_id JOIN thread USING (utid)) AND pid IN
            (SELECT pid FROM process GROUP BY pid HAVING count(*) = 1) ORDER BY upid LIMIT 1""")[0]
        parts = [(['--table', 'slice', '--from', '100ms', '--to', '0.2s'], of_track + in_window + ' ORDER BY s.id'),
                 (['--table', 'slice', '--from', f'@{low}', '--to', f'@{high}', '--machine', 'watch'],
                  of_track + in_window + " AND m.name = 'watch' ORDER BY s.id"),
                 (['--table', 'slice', '--process', str(pid)],
                  of_track + f'(k.upid = {upid} OR t.upid = {upid}) ORDER BY s.id'),
                 (['--table', 'args'], 'SELECT * FROM args'),
                 (['--table', 'counter', '--machine', 'watch', '--clock', 'REALTIME'],
                  """SELECT c.id, clock_convert(c.ts, NULL, NULL, 'REALTIME', 'watch') AS ts, c.track_id, c.value, c.arg_set_id
                  FROM counter c JOIN __intrinsic_track k ON k.id = c.track_id JOIN machine m ON m.id = k.machine_id
                  WHERE m.name = 'watch' ORDER BY c.id"""),
                 (['--query', 'SELECT name, count(*) AS n FROM slice GROUP BY name ORDER BY name'],
                  'SELECT name, count(*) AS n FROM slice GROUP BY name ORDER BY name')]
        for kind in ('parquet', 'arrow'):
            for part, sql in parts:
                out = self.path(f'part.{kind}')
                done = run('export', *MERGED, '--to', kind, *part, '-o', out)
                self.assertEqual(done.returncode, 0, (part, done.stderr))
                table = read(out)
                if '--clock' in part:
                    self.assertIn('ts_uncertainty_ns', table.column_names)
                    table = table.drop_columns(['ts_uncertainty_ns'])
                self.assertLess(0, table.num_rows, part)
                self.same(table, sql)
            # A part of all tables: each is there.
            whole, part = self.path(f'whole-{kind}'), self.path(f'part-{kind}')
            for out, window in ((whole, []), (part, ['--from', '100ms', '--to', '200ms', '--machine', 'watch'])):
                done = run('export', *MERGED, '--to', kind, *window, '-o', out)
                self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(sorted(os.listdir(part)), sorted(os.listdir(whole)))
            for table in ('slice', 'sched', 'counter'):
                fewer = read(f'{part}/{table}.{kind}').num_rows
                self.assertLess(0, fewer, table)
                self.assertLess(fewer, read(f'{whole}/{table}.{kind}').num_rows, table)

    def test_mistakes_leave_nothing(self):
        for kind in ('parquet', 'arrow'):
            for part, code, says in ((['--table', 'slise'], 3, "no table 'slise'"),
                                     (['--machine', 'fridge'], 3, "no machine 'fridge'"),
                                     (['--process', 'nobody'], 3, "no process 'nobody'"),
                                     (['--query', 'SELECT 1; SELECT 2'], 2, 'those of several'),
                                     (['--query', 'CREATE VIEW x AS SELECT 1'], 2, 'this is none'),
                                     (['--query', 'SELEC'], 4, 'SELEC'), (['--from', 'noon'], 2, "'noon' is not a time"),
                                     (['--clock', 'SUNDIAL'], 2, 'SUNDIAL'), (['--partition', 'moon'], 2, 'moon')):
                done = run('export', *MERGED, '--to', kind, *part, '-o', self.path('x'))
                self.assertEqual(done.returncode, code, (kind, part, done.stderr))
                self.assertIn(says, done.stderr)
                self.assertFalse(os.path.exists(self.path('x')), (kind, part))

    def test_types_do_not_depend_on_the_part(self):
        whole, part = self.path('whole.parquet'), self.path('part.parquet')
        for out, window in ((whole, []), (part, ['--from', '1h'])):
            done = run('export', *MERGED, '--to', 'parquet', '--table', 'counter', *window, '-o', out)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess(0, read(whole).num_rows)
        self.assertEqual(read(part).num_rows, 0)
        self.assertEqual(read(part).schema, read(whole).schema)

    def test_texts_that_mostly_differ(self):
        trace = self.path('t.json')
        names = [f'name {i} ü \n' for i in range(120000)]
        pathlib.Path(trace).write_text(json.dumps(
            [{'ph': 'X', 'ts': i, 'dur': 1, 'pid': 1, 'tid': 1, 'name': name, 'cat': 'all'} for i, name in enumerate(names)]))
        for kind in ('parquet', 'arrow'):
            for what in (['--table', 'slice'], ['--query', 'SELECT name, category FROM slice']):
                out = self.path(f'out.{kind}')
                done = run('export', trace, '--to', kind, *what, '-o', out)
                self.assertEqual(done.returncode, 0, done.stderr)
                table = read(out)
                self.assertEqual(table['name'].to_pylist(), names)
                self.assertEqual(table.schema.field('name').type, pyarrow.string())
                self.assertTrue(pyarrow.types.is_dictionary(table.schema.field('category').type))

    def test_by_machine(self):
        out = self.path('parts')
        done = run('export', *MERGED, '--to', 'parquet', '--partition', 'machine', '-o', out)
        self.assertEqual(done.returncode, 0, done.stderr)
        count = 0
        for machine, in rows('SELECT name FROM machine'):
            count += read(f'{out}/machine={machine}/slice.parquet').num_rows
        self.assertEqual(count, rows('SELECT count(*) FROM slice')[0][0])
        self.same(read(f'{out}/args.parquet'), 'SELECT * FROM args')

    def test_a_partitioned_set_is_one_table(self):
        out = self.path('parts')
        done = run('export', *MERGED, '--to', 'parquet', '--partition', 'machine', '-o', out)
        self.assertEqual(done.returncode, 0, done.stderr)
        folders = [name for name in os.listdir(out) if name.startswith('machine=') and os.path.exists(f'{out}/{name}/slice.parquet')]
        self.assertEqual(len(folders), rows('SELECT count(*) FROM machine')[0][0])
        whole = pyarrow.concat_tables([read(f'{out}/{name}/slice.parquet').select(['id', 'ts', 'dur']) for name in folders])
        got = sorted(tuple(row.values()) for row in whole.to_pylist())
        self.assertEqual(got, [tuple(row) for row in rows('SELECT id, ts, dur FROM slice ORDER BY id')])

    def test_partitions_have_every_row(self):
        out = self.path('parts')
        done = run('export', *MERGED, '--to', 'parquet', '--partition', 'machine', '-o', out)
        self.assertEqual(done.returncode, 0, done.stderr)
        totals = {}
        for path in pathlib.Path(out).rglob('*.parquet'):
            totals[path.stem] = totals.get(path.stem, 0) + pyarrow.parquet.read_metadata(path).num_rows
        self.assertGreater(len(totals), 50)
        counts = rows(' UNION ALL '.join(f"SELECT '{name}', count(*) FROM \"{name}\"" for name in sorted(totals)))
        self.assertEqual(totals, dict(counts))
        whole = pathlib.Path(self.path('whole'))
        done = run('export', *MERGED, '--to', 'parquet', '-o', str(whole))
        self.assertEqual({path.stem: pyarrow.parquet.read_metadata(path).num_rows for path in whole.glob('*.parquet')}, totals)
        of_none = read(f'{out}/machine=__HIVE_DEFAULT_PARTITION__/stats.parquet')
        self.assertEqual(of_none.num_rows, rows('SELECT count(*) FROM stats WHERE machine_id IS NULL')[0][0])
        # A choice of machines leaves them out.
        part = self.path('watch')
        done = run('export', *MERGED, '--to', 'parquet', '--partition', 'machine', '--machine', 'watch', '-o', part)
        self.assertEqual([name for name in os.listdir(part) if name.startswith('machine=')], ['machine=watch'])

    def test_a_missing_library_is_named(self):
        program = self.path('tracebraid')
        shutil.copy(os.path.realpath(shutil.which(PROGRAM)), program)
        command = [program, 'export', *MERGED, '--to', 'parquet', '--query', 'SELECT 1 AS one', '-o', self.path('x')]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 3)
        library = self.path('libtracebraid_arrow.so')
        self.assertIn(f'the file {library} is missing', done.stderr)
        own = pathlib.Path(os.path.realpath(shutil.which(PROGRAM))).parent / 'libtracebraid_arrow.so'
        pathlib.Path(library).write_bytes(own.read_bytes().replace(b'libparquet.so', b'libpaRquet.so'))
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r'the library libpaRquet\.so\S* is missing')

    def test_duckdb(self):
        if duckdb is None:
            self.skipTest('there is no duckdb to read with')
        out = self.path('tables')
        done = run('export', *MERGED, '--to', 'parquet', '-o', out)
        self.assertEqual(done.returncode, 0, done.stderr)
        sql = """SELECT t.name, count(*), sum(s.dur) FROM {}slice{} s JOIN {}thread_track{} k ON s.track_id = k.id
            JOIN {}thread{} t ON t.utid = k.utid WHERE s.dur >= 0 GROUP BY 1 ORDER BY 1, 2"""
        got = duckdb.sql(sql.format(*[f"read_parquet('{out}/", ".parquet')"] * 3)).fetchall()
        self.assertEqual(sorted(map(str, got)), sorted(str(tuple(row)) for row in rows(sql.format(*[''] * 6))))
        done = run('export', *MERGED, '--to', 'parquet', '--partition', 'machine', '-o', self.path('parts'))
        self.assertEqual(done.returncode, 0, done.stderr)
        glob = self.path('parts') + '/machine=*/sched.parquet'
        got = duckdb.sql(f"SELECT machine, count(*) FROM read_parquet('{glob}', hive_partitioning = true) GROUP BY 1").fetchall()
        self.assertEqual(dict(got), dict(rows("""SELECT m.name, count(*) FROM sched s JOIN cpu c ON c.ucpu = s.ucpu
            JOIN machine m ON m.id = c.machine_id GROUP BY 1""")))


class NdJson(unittest.TestCase):
    SQL = """SELECT id, ts, name, NULL AS n, 0.5 * id AS r, id, ts AS TS, 9223372036854775807 AS big,
      '"' || char(10) || '漢🚀' || char(27) || cast(x'ff' AS text) AS t FROM slice ORDER BY id"""

    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix='tracebraid-ndjson-')
        self.addCleanup(shutil.rmtree, self.dir)
        self.path = os.path.join(self.dir, 'rows.ndjson')
        done = run('query', *MERGED, self.SQL, '--format', 'ndjson')
        self.assertEqual(done.returncode, 0, done.stderr)
        pathlib.Path(self.path).write_text(done.stdout)

    def test_objects_hold_the_rows(self):
        with open(self.path, encoding='utf-8') as file:
            objects = [json.loads(line) for line in file]
        self.assertEqual(list(objects[0]), ['id', 'ts', 'name', 'n', 'r', 'id:2', 'TS:2', 'big', 't'])
        self.assertEqual([list(row.values()) for row in objects], rows(self.SQL))

    def test_duckdb_reads_them(self):
        if duckdb is None:
            self.skipTest('there is no DuckDB')
        table = duckdb.read_json(self.path, format='newline_delimited')
        self.assertEqual(table.columns, ['id', 'ts', 'name', 'n', 'r', 'id:2', 'TS:2', 'big', 't'])
        self.assertEqual([str(kind) for kind in table.types[:3]], ['BIGINT', 'BIGINT', 'VARCHAR'])
        self.assertEqual([list(row) for row in table.order('id').fetchall()], rows(self.SQL))

    def test_jq_reads_them(self):
        if not shutil.which('jq'):
            self.skipTest('there is no jq')
        done = subprocess.run(['jq', '-c', '[.id, .ts, .name, .t]', self.path], capture_output=True, check=True, timeout=60)
        self.assertEqual([json.loads(line) for line in done.stdout.splitlines()],
                         [[row[0], row[1], row[2], row[8]] for row in rows(self.SQL)])

    def test_an_exported_folder(self):
        out = os.path.join(self.dir, 'out')
        done = run('export', *MERGED, '--to', 'ndjson', '--table', 'slice', '--table', 'process', '-o', out)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(out + '/slice.ndjson', encoding='utf-8') as file:
            self.assertEqual([list(json.loads(line).values()) for line in file], rows('SELECT * FROM slice'))


if __name__ == '__main__':
    unittest.main()
