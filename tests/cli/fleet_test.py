#!/usr/bin/env python3
"""Fleets of the program: groups, rows, failures, workers that end, runs that continue.

TRACEBRAID names the program.
"""
import gzip
import io
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
import zipfile

from pseudo_terminal import PseudoTerminal

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / 'examples'
COUNT = 'SELECT count(*) AS n, sum(dur) AS total FROM slice'
# Runs for ever in traces with a slice of this name.
HANGS = """(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < (
    SELECT iif(count(*) > 0, 9e18, 2) FROM slice WHERE name = 'hang')) SELECT count(*) FROM n) AS steps"""
SLOW = f'SELECT count(*) AS n, {HANGS} FROM slice'
SLOW_TYPES = '--types=n=int64,steps=int64'
# Workers of a program with a sanitizer, whose tests are short, have no limit.
IF_MEMORY_IS_LIMITED = unittest.skipIf(os.environ.get('TRACEBRAID_SHORT'), 'a sanitizer needs more memory')


def trace_text(count, name='work'):
    """Returns a JSON trace with so many slices of 10 us."""
    return json.dumps({'traceEvents': [
        {'ph': 'X', 'pid': 1, 'tid': 1, 'ts': 100 * i, 'dur': 10, 'name': name} for i in range(count)]})


def wait_until(is_so, seconds=60):
    until = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > until:
            raise TimeoutError('what the test waits for does not come')
        time.sleep(0.02)


def workers_of(parent):
    """Returns the ids of the worker processes of a process."""
    printed = subprocess.run(['ps', '-ww', '-o', 'pid=,args=', '--ppid', str(parent)], text=True, stdout=subprocess.PIPE).stdout
    return [int(line.split()[0]) for line in printed.splitlines() if 'fleet-worker' in line]


class Fleets(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='tracebraid-fleet-'))
        self.addCleanup(shutil.rmtree, self.folder)
        self.runs = self.folder / 'runs'
        self.runs.mkdir()

    def write(self, name, text):
        path = self.runs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def write_runs(self, count):
        for i in range(count):
            self.write(f'run-{i:02}/trace.json', trace_text(i + 1))

    def fleet(self, *arguments, status=0, limits=None, env=None):
        done = subprocess.run([PROGRAM, 'fleet', *map(str, arguments)], capture_output=True, text=True, timeout=300,
                              cwd=self.folder, preexec_fn=limits, env=env)
        self.assertEqual(done.returncode, status, f'{arguments}: {done.stdout}{done.stderr}')
        return done

    def rows(self, *arguments, status=0):
        """Returns the rows, by group."""
        return [json.loads(line) for line in
                self.fleet(*arguments, '--format=jsonl', '--sort', status=status).stdout.splitlines()]

    def counts(self, *arguments, status=0):
        return {row['_group']: row['n'] for row in self.rows(*arguments, COUNT, status=status)}


class Sources(Fleets):
    def test_folders_globs_lists_and_manifests_list_the_same_files(self):
        self.write_runs(3)
        self.write('.hidden/trace.json', trace_text(9))
        self.write('fleet.jsonl', ''.join(
            json.dumps({'path': f'run-{i:02}/trace.json', 'build': i}) + '\n' for i in range(3)))
        expected = {f'run-{i:02}/trace.json': i + 1 for i in range(3)}
        for source in (['runs/*/*.json'], ['runs/**/trace.json'], [f'runs/run-{i:02}/trace.json' for i in range(3)],
                       ['runs/fleet.jsonl'], [self.runs / 'run-0?/trace.json'], ['runs/run-[0-2]*/trace.json']):
            self.assertEqual(self.counts(*source), expected, source)
        (self.runs / 'fleet.jsonl').unlink()
        self.assertEqual(self.counts('runs'), expected)
        self.assertEqual([row['_trace'] for row in self.rows('runs/run-00', COUNT)], ['trace.json'])

    def test_manifests_carry_columns_and_name_their_mistakes(self):
        self.write_runs(2)
        self.write('fleet.jsonl', json.dumps({'paths': ['run-00/trace.json', 'run-01/trace.json'], 'group': 'both', 'build': 7,
                                              'note': None}) + '\n\n')
        (row,) = self.rows('runs/fleet.jsonl', COUNT, '--provenance=full')
        self.assertEqual((row['_group'], row['n'], row['_build'], row['_note']), ('both', 3, '7', ''))
        for text in ('{"path": "a"}\n{"group": "x"}\n', '\n[1]\n', '\nnot json\n', '\n{"paths": [7]}', '\n{"path": 7}'):
            self.write('bad.jsonl', text)
            self.assertIn('bad.jsonl: line 2 ', self.fleet('runs/bad.jsonl', COUNT, status=3).stderr)

    def test_a_regex_or_a_folder_forms_groups(self):
        for name in ('run-1/a.json', 'run-1/b.json', 'run-2/a.json'):
            self.write(name, trace_text(1))
        for group in (r'(run-\d)/', 'folder'):
            self.assertEqual(self.counts('runs', '--group', group), {'run-1': 2, 'run-2': 1})
        rows = self.rows('runs', COUNT, '--group', r'run-(?P<run>\d)/(?P<file>\w)', '--provenance=full')
        self.assertEqual([(row['_group'], row['_run'], row['_file']) for row in rows],
                         [('1/a', '1', 'a'), ('1/b', '1', 'b'), ('2/a', '2', 'a')])
        self.write('other.json', trace_text(4))
        said = self.fleet('runs', COUNT, '--group', '(run-1)/', status=2).stderr
        self.assertRegex(said, "runs/other.json: the regex '.*' does not match")
        self.assertEqual(self.counts('runs', '--group', '(run-1)/', '--ungrouped=skip'), {'run-1': 2})
        self.assertEqual(self.counts('runs', '--group', '(run-.)/', '--ungrouped=alone'),
                         {'other.json': 4, 'run-1': 2, 'run-2': 1})

    def test_a_manifest_pattern_names_the_merge_manifest(self):
        for name in ('phone.pftrace', 'watch.pftrace', 'app.json', 'manifest.json'):
            self.write(f'day/{name}', (EXAMPLES / name).read_bytes())
        (row,) = self.rows('runs', COUNT, '--group=folder', '--manifest-pattern', '{folder}/manifest.json')
        one = subprocess.run([PROGRAM, 'query', '--format', 'ndjson', self.runs / 'day', COUNT], capture_output=True, text=True)
        self.assertEqual({'n': row['n'], 'total': row['total']}, json.loads(one.stdout))
        self.fleet('runs', COUNT, '--manifest-pattern={nope}', status=2)

    def test_each_archive_in_an_archive_is_a_group(self):
        inner = {}
        for i in range(3):
            data = io.BytesIO()
            with zipfile.ZipFile(data, 'w', zipfile.ZIP_DEFLATED) as archive:
                archive.writestr('a.json', trace_text(i + 1))
            inner[f'day/run-{i}.zip'] = data.getvalue()
        with zipfile.ZipFile(self.folder / 'runs.zip', 'w', zipfile.ZIP_DEFLATED) as archive:
            for name, data in inner.items():
                archive.writestr(name, data)
        with tarfile.open(self.folder / 'runs.tar.gz', 'w:gz') as archive:
            for name, data in inner.items():
                info = tarfile.TarInfo(name)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
        copies = self.folder / 'copies'
        copies.mkdir()
        for name in ('runs.zip', 'runs.tar.gz'):
            done = self.fleet(name, COUNT, '--sort', '--format=jsonl', env={**os.environ, 'TMPDIR': str(copies)})
            rows = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual([(row['_group'], row['n']) for row in rows], [(f'day/run-{i}.zip', i + 1) for i in range(3)])
            self.assertEqual(rows[0]['_trace_uri'], (self.folder / name / 'day/run-0.zip').as_uri())
            self.assertEqual(os.listdir(copies), [])
        (self.folder / 'one.zip').write_bytes(inner['day/run-1.zip'])
        self.assertEqual(self.counts('one.zip'), {'one.zip': 2})
        inner['day/run-1.zip'] = b'no archive'
        with zipfile.ZipFile(self.folder / 'runs.zip', 'w') as archive:
            for name, data in inner.items():
                archive.writestr(name, data)
        done = self.fleet('runs.zip', COUNT, '--on-error=rows', '--errors=errors.jsonl', status=1)
        (error,) = map(json.loads, (self.folder / 'errors.jsonl').read_text().splitlines())
        self.assertEqual((error['_group'], error['stage'], error['file']), ('day/run-1.zip', 'open', 'runs.zip/day/run-1.zip'))

    def test_groups_and_rows_are_picked(self):
        self.write_runs(4)
        self.write('run-02/trace.json', 'no trace')
        group = ['--group', r'(?P<run>run-\d+)/']
        self.assertEqual(set(self.counts('runs', *group, '--pick', "_run IN ('run-01', 'run-03')")), {'run-01', 'run-03'})
        self.assertEqual(set(self.counts('runs', *group, '--pick', '_size > 50 -- bytes')), {'run-00', 'run-01', 'run-03'})
        self.assertEqual(self.counts('runs', '--pick', '0'), {})
        self.assertEqual(set(self.counts('runs', '--pick', '_size > 50', '--where', 'n > 1')),
                         {'run-01/trace.json', 'run-03/trace.json'})
        said = self.fleet('runs', COUNT, *group, '--pick', 'nope > 1', status=4).stderr
        self.assertIn('its columns are _group, _trace, _size, _run', said)
        self.fleet('runs', COUNT, '--where', 'nope > 1', status=4)

    def test_what_only_the_package_reads_or_writes_is_said(self):
        self.write('fleet.parquet', 'PAR1')
        for arguments in (['s3://bucket/runs', COUNT], ['runs/fleet.parquet', COUNT], ['runs', COUNT, '--to=lake']):
            self.assertIn('Python package', self.fleet(*arguments, status=3).stderr)
        self.assertIn('no such file', self.fleet('none', COUNT, status=3).stderr)


class Rows(Fleets):
    def test_rows_do_not_depend_on_the_number_of_workers(self):
        self.write_runs(6)
        printed = {self.fleet('runs', COUNT, '--sort', f'--jobs={jobs}').stdout for jobs in (1, 2, 4)}
        (text,) = printed
        self.assertEqual(text.splitlines()[0], '_group,_trace,_trace_uri,n,total')
        self.assertEqual([line.split(',')[-2:] for line in text.splitlines()[1:]],
                         [[str(i + 1), str(10_000 * (i + 1))] for i in range(6)])
        unsorted = self.fleet('runs', COUNT, '--jobs=4').stdout
        self.assertEqual(sorted(unsorted.splitlines()), sorted(text.splitlines()))
        for jobs in (1, 2, 4):
            self.fleet('runs', COUNT, f'--jobs={jobs}', '--output=rows.csv')
            self.assertEqual((self.folder / 'rows.csv').read_bytes().decode(), text.replace('\n', '\r\n'))

    def test_types_and_values_of_all_kinds_in_all_formats(self):
        self.write('a.json', trace_text(3))
        sql = "SELECT nullif(id, 1) AS i, 0.5 AS x, x'0001' AS b, iif(id = 2, NULL, 'a,\"é\n') AS t FROM slice ORDER BY id"
        types = '--types=i=int64,t=utf8'
        self.assertEqual([(row['i'], row['x'], row['b'], row['t']) for row in self.rows('runs', sql, types)],
                         [(0, 0.5, {'blob': '0001'}, 'a,"é\n'), (None, 0.5, {'blob': '0001'}, 'a,"é\n'), (2, 0.5, {'blob': '0001'}, None)])
        for kind in ('csv', 'tsv', 'jsonl'):
            printed = subprocess.run([PROGRAM, 'fleet', 'runs', sql, types, f'--format={kind}'], cwd=self.folder, capture_output=True)
            self.fleet('runs', sql, types, f'--output=rows.{kind}')
            self.assertEqual((self.folder / f'rows.{kind}').read_bytes(), printed.stdout)
            # What `query` prints, behind the columns of the group.
            query = subprocess.run([PROGRAM, 'query', '--format', {'jsonl': 'ndjson'}.get(kind, kind), 'runs/a.json', sql],
                                   cwd=self.folder, capture_output=True)
            self.assertEqual(printed.stdout.count(b'\n'), query.stdout.count(b'\n'))

    def test_the_machine_and_full_provenance(self):
        for key, table in (('utid', 'thread'), ('upid', 'process'), ('track_id', 'slice'), ('machine_id', 'thread')):
            rows = self.rows(EXAMPLES / '*.pftrace', f'SELECT DISTINCT {key} FROM {table}')
            self.assertEqual({(row['_group'], row['_machine']) for row in rows},
                             {('phone.pftrace', 'phone'), ('watch.pftrace', 'watch')})
        path = self.write('run-1/a.json', trace_text(1))
        (row,) = self.rows('runs', COUNT, '--provenance=full')
        self.assertEqual((row['_trace_size'], row['_placed_by'], row['_lost']), (path.stat().st_size, 'is_timeline', 0))
        self.assertRegex(row['_trace_digest'], '^[0-9a-f]{16}$')
        self.assertEqual(list(row), ['_group', '_trace', '_trace_uri', '_trace_size', '_trace_digest', '_placed_by',
                                     '_uncertainty_ns', '_lost', 'n', 'total'])

    def test_statements_before_the_last_one_and_modules(self):
        self.write_runs(2)
        module = self.folder / 'sql/twice.sql'
        module.parent.mkdir()
        module.write_text('CREATE PERFETTO TABLE twice AS SELECT 2 * count(*) AS n FROM slice;')
        (self.folder / 'report.sql').write_text('INCLUDE PERFETTO MODULE mine.twice; SELECT CAST(n AS INTEGER) AS n FROM twice;\n')
        rows = self.rows('runs', '--sql-file=report.sql', f'--sql-path={module.parent}@mine', '--drop-negative', '--timeout=2m')
        self.assertEqual([row['n'] for row in rows], [2, 4])

    def test_a_fleet_without_groups_has_the_columns(self):
        self.assertEqual(self.fleet('runs/*.json', COUNT).stdout, '_group,_trace,_trace_uri,n,total\n')
        self.fleet('runs/*.json', COUNT, '--output=rows.csv')
        self.assertEqual((self.folder / 'rows.csv').read_bytes(), b'_group,_trace,_trace_uri,n,total\r\n')

    def test_sources_without_files_are_named(self):
        self.write_runs(2)
        (self.folder / 'empty').mkdir()
        done = self.fleet('runs/*.json', 'runs/*/*.json', 'empty', COUNT)
        self.assertEqual(len(done.stdout.splitlines()), 3)
        self.assertEqual(done.stderr, 'tracebraid: warning: runs/*.json: no file matches\n'
                                      'tracebraid: warning: empty: no file is in this folder\n')
        done = self.fleet('runs', COUNT, '--pick', '_size < 0')
        self.assertEqual(done.stderr, 'tracebraid: warning: --pick is true for none of 2 groups\n')
        self.assertEqual(self.fleet('runs', COUNT, '--pick', '_group GLOB \'run-01*\'').stderr, '')

    def test_mistakes_are_told_before_any_trace_is_read(self):
        self.write('no-trace.txt', 'no trace')
        for arguments, status, said in (
                (['runs', 'SELECT nope FROM slice'], 4, 'no such column: nope'),
                (['runs', 'SELECT iif(id > 1, id, name) AS x FROM slice'], 2, r'CAST\(x AS INTEGER\)'),
                (['runs', COUNT, '--group=('], 2, '--group'),
                (['runs', COUNT, '--timeout=soon'], 2, '--timeout'),
                (['runs', COUNT, '--timeout=0'], 2, '--timeout'),
                (['runs', COUNT, '--types=n'], 2, '--types'),
                (['runs', COUNT, '--types=n=int'], 2, '--types'),
                (['runs', COUNT, '--memory-limit=900T'], 2, 'memory-limit'),
                (['runs', COUNT, '--on-error=ignore'], 2, 'not one of fail'),
                (['runs', COUNT, '--clock-model=x'], 2, 'clock-model'),
                (['runs', COUNT, '--by-machine'], 2, 'no option'),
                (['runs', COUNT, '--resume'], 2, '--output'),
                (['runs', COUNT, '--format=parquet'], 2, '--output'),
                (['runs'], 2, 'give a source and a statement'),
                (['runs', '--sql-file=none.sql'], 3, 'none.sql')):
            self.assertRegex(self.fleet(*arguments, status=status).stderr, said)

    def test_types_follow_from_expressions(self):
        self.write('a.json', trace_text(3))
        sql = """WITH by_name AS (SELECT name, sum(dur) AS total, count(*) AS n FROM slice GROUP BY 1)
                 SELECT upper(name) AS name, total / 1000 AS us, total / 1e6 AS ms, total * 1.0 / n AS mean,
                        CASE WHEN n > 2 THEN 'many' ELSE 'few' END AS size FROM by_name"""
        (row,) = self.rows('runs', sql)
        self.assertEqual([row[name] for name in ('name', 'us', 'ms', 'mean', 'size')], ['WORK', 30, 0.03, 10000.0, 'many'])
        # An integer that overflows is no other value.
        error = self.fleet('runs', 'SELECT dur * 9223372036854775807 AS x FROM slice', '--types=x=int64', status=4)
        self.assertIn('REAL does not fit int64', error.stderr)
        plain = self.fleet('runs', 'SELECT dur * dur * dur * dur * dur AS x FROM slice', status=4)
        self.assertIn('REAL does not fit int64', plain.stderr)

    def test_an_output_never_replaces_an_input(self):
        path = self.write('a.json', trace_text(1))
        before = path.read_bytes()
        self.assertIn('runs/a.json', self.fleet('runs', COUNT, '--output=runs/a.json', status=2).stderr)
        self.assertEqual(path.read_bytes(), before)


class Failures(Fleets):
    def setUp(self):
        super().setUp()
        self.write_runs(3)
        self.write('bad.json', 'this is no trace')

    def errors(self, *arguments, status=1):
        self.fleet(*arguments, '--on-error=rows', '--errors=errors.jsonl', '--output=rows.jsonl', status=status)
        return [json.loads(line) for line in (self.folder / 'errors.jsonl').read_text().splitlines()]

    def kept(self):
        return len((self.folder / 'rows.jsonl').read_text().splitlines())

    def test_the_three_modes(self):
        said = self.fleet('runs', COUNT, '--sort', '--jobs=1', status=3).stderr
        self.assertRegex(said, '^tracebraid: error: bad.json: ')
        for mode in ('skip', 'rows'):
            done = self.fleet('runs', COUNT, '--sort', f'--on-error={mode}', '--errors=errors.jsonl', status=1)
            self.assertEqual(len(done.stdout.splitlines()), 4)
            self.assertIn('1 of 4 groups were skipped:\nbad.json: open: UNSUPPORTED: ', done.stderr)
            (error,) = map(json.loads, (self.folder / 'errors.jsonl').read_text().splitlines())
            self.assertEqual(list(error), ['_group', '_trace', 'stage', 'code', 'message', 'file', 'offset', 'attempt', 'seconds',
                                           'peak_bytes'])
            self.assertEqual((error['_group'], error['stage'], error['code'], error['file'], error['attempt']),
                             ('bad.json', 'open', 'UNSUPPORTED', 'runs/bad.json', 1))
            self.assertGreater(error['peak_bytes'], 1 << 20)

    def test_limits_are_errors_of_the_group(self):
        (self.runs / 'bad.json').unlink()
        self.write('run-00/trace.json', trace_text(1, 'hang'))
        (error,) = self.errors('runs', SLOW, SLOW_TYPES, '--timeout=1s')
        self.assertEqual((error['_group'], error['stage'], error['code']), ('run-00/trace.json', 'query', 'TIMEOUT'))
        self.assertEqual(self.kept(), 2)
        self.write('run-02/trace.json', trace_text(5))
        (error,) = self.errors('runs', 'SELECT id FROM slice', '--max-rows=4')
        self.assertEqual((error['_group'], error['code']), ('run-02/trace.json', 'LIMIT'))
        self.assertEqual(self.kept(), 3)

    def test_limits_of_the_statement_end_a_run_like_mistakes_in_it(self):
        (self.runs / 'bad.json').unlink()
        self.write('run-02/trace.json', trace_text(5))
        for output in ([], ['--output=rows.csv']):
            said = self.fleet('runs', 'SELECT id FROM slice', '--max-rows=4', *output, status=4).stderr
            self.assertIn('run-02/trace.json: the group has more than max_rows = 4 rows', said)
        self.write('run-00/trace.json', trace_text(1, 'hang'))
        self.assertIn('run-00/trace.json: ', self.fleet('runs', SLOW, SLOW_TYPES, '--timeout=1s', status=4).stderr)
        self.write('run-00/trace.json.gz', gzip.compress(trace_text(100).encode()))
        self.fleet('runs/**/*.gz', COUNT, '--max-member-bytes=1000', status=3)  # a limit of reading

    @IF_MEMORY_IS_LIMITED
    def test_a_query_that_needs_too_much_memory_fails_alone(self):
        (self.runs / 'bad.json').unlink()
        self.write('run-01/trace.json', trace_text(1, 'big'))
        big = "SELECT CAST(length(hex(zeroblob(iif(name = 'big', 900000000, 1)))) AS INTEGER) AS n FROM slice"
        (error,) = self.errors('runs', big, '--memory-limit=200M', '--jobs=1')
        self.assertEqual((error['_group'], error['stage']), ('run-01/trace.json', 'query'))
        self.assertIn(error['code'], ('NO_MEMORY', 'LIMIT'))

    @IF_MEMORY_IS_LIMITED
    def test_a_trace_that_needs_too_much_memory_fails_alone(self):
        (self.runs / 'bad.json').unlink()
        # Tables of many rows: operator new of the worker has no memory.
        text = json.dumps({'traceEvents': [
            {'ph': 'X', 'pid': 1, 'tid': 1, 'ts': i, 'dur': 1, 'name': f'n{i}', 'args': {'a': f'{i:0100}'}} for i in range(400_000)]})
        self.write('big.json', text)
        errors = self.errors('runs', COUNT, '--memory-limit=20M', '--jobs=1')
        self.assertEqual([(e['_group'], e['stage'], e['code'], e['attempt']) for e in errors], [('big.json', 'open', 'NO_MEMORY', 1)])
        self.assertEqual(self.kept(), 3)

    def test_limits_of_containers(self):
        self.write('bomb.json.gz', gzip.compress(trace_text(100).encode()))
        errors = self.errors('runs', COUNT, '--max-member-bytes=1000')
        self.assertEqual([(e['_group'], e['stage'], e['code']) for e in errors],
                         [('bad.json', 'open', 'UNSUPPORTED'), ('bomb.json.gz', 'open', 'LIMIT')])

    def test_files_that_cannot_be_listed_fail_their_group(self):
        (self.runs / 'run-01/gone.json').symlink_to('nowhere')
        (self.runs / 'bad.json').unlink()
        (error,) = self.errors('runs', COUNT, '--group=folder')
        self.assertEqual((error['_group'], error['stage'], error['code'], error['file']),
                         ('run-01', 'list', 'NOT_FOUND', 'runs/run-01/gone.json'))
        self.assertIn('run-01: runs/run-01/gone.json: No such file', self.fleet('runs', COUNT, '--group=folder', '--sort', status=3).stderr)

    def test_values_that_do_not_fit_and_statements_that_a_trace_refuses(self):
        (self.runs / 'bad.json').unlink()
        self.write('run-01/trace.json', trace_text(1, 'text'))
        sql = "SELECT iif(name = 'text', name, id) AS x FROM slice"
        (error,) = self.errors('runs', sql, '--types=x=int64')
        self.assertEqual((error['_group'], error['stage'], error['code']), ('run-01/trace.json', 'query', 'TYPE_CHANGED'))
        self.assertEqual(self.kept(), 4)
        self.fleet('runs', sql, '--types=x=int64', '--jobs=1', '--sort', status=4)

    def test_a_strict_check_is_a_stage(self):
        self.write('cut.json', trace_text(3)[:-10])
        errors = self.errors('runs', COUNT, '--check=strict')
        self.assertEqual([(e['_group'], e['stage']) for e in errors], [('bad.json', 'open'), ('cut.json', 'check')])

    def test_a_file_that_changes_while_the_fleet_runs(self):
        (self.runs / 'bad.json').unlink()
        self.write('run-09/trace.json', trace_text(200, 'hang'))  # the largest group is the first
        process = subprocess.Popen([PROGRAM, 'fleet', 'runs', SLOW, SLOW_TYPES, '--jobs=1', '--timeout=3s', '--on-error=rows',
                                    '--errors=errors.jsonl'], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(process.communicate)
        wait_until(lambda: workers_of(process.pid))
        self.write('run-01/trace.json', trace_text(9))
        (self.runs / 'run-02/trace.json').unlink()
        self.assertEqual(process.wait(timeout=60), 1)
        errors = [json.loads(line) for line in (self.folder / 'errors.jsonl').read_text().splitlines()]
        self.assertEqual([(e['_group'][:6], e['stage'], e['code']) for e in errors],
                         [('run-01', 'fetch', 'BAD_INPUT'), ('run-02', 'fetch', 'NOT_FOUND'), ('run-09', 'query', 'TIMEOUT')])


class Workers(Fleets):
    def start(self, *arguments):
        process = subprocess.Popen([PROGRAM, 'fleet', *map(str, arguments)], cwd=self.folder, text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def kill_worker(self, process, but=()):
        wait_until(lambda: set(workers_of(process.pid)) - set(but))
        (worker,) = set(workers_of(process.pid)) - set(but)
        time.sleep(0.3)
        os.kill(worker, signal.SIGKILL)
        return worker

    def test_a_group_whose_worker_was_killed_runs_again(self):
        self.write_runs(2)
        self.write('run-00/trace.json', trace_text(30))
        slow = COUNT + ', (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4e6) SELECT count(*) FROM n) AS many'
        process = self.start('runs', slow, '--types=n=int64,total=int64,many=int64', '--jobs=1', '--sort')
        self.kill_worker(process)
        printed, said = process.communicate(timeout=120)
        self.assertEqual((process.returncode, said), (0, ''))
        self.assertEqual([line.split(',')[3] for line in printed.splitlines()[1:]], ['30', '2'])

    def test_a_group_whose_worker_was_killed_twice_fails(self):
        self.write('a.json', trace_text(1, 'hang'))
        process = self.start('runs', SLOW, SLOW_TYPES, '--jobs=1', '--on-error=rows', '--errors=errors.jsonl', '--timeout=60')
        first = self.kill_worker(process)
        self.kill_worker(process, but=[first])
        process.communicate(timeout=60)
        (error,) = map(json.loads, (self.folder / 'errors.jsonl').read_text().splitlines())
        self.assertEqual((process.returncode, error['code'], error['attempt'], error['message']),
                         (1, 'WorkerDied', 2, 'the worker process ended by signal 9, twice'))

    def test_workers_end_with_their_parent(self):
        self.write('a.json', trace_text(1, 'hang'))
        process = self.start('runs', SLOW, SLOW_TYPES, '--jobs=1')
        wait_until(lambda: workers_of(process.pid))
        workers = workers_of(process.pid)
        process.kill()
        wait_until(lambda: not any(pathlib.Path(f'/proc/{worker}/cmdline').exists()
                                   and pathlib.Path(f'/proc/{worker}/cmdline').read_bytes() for worker in workers), 10)

    def test_a_reader_that_goes_away_ends_the_run(self):
        self.write_runs(8)
        process = self.start('runs', 'SELECT CAST(hex(zeroblob(100000)) AS TEXT) AS x FROM slice', '--jobs=2')
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual((process.wait(timeout=60), process.stderr.read()), (0, ''))

    def test_an_output_that_cannot_be_written(self):
        self.write_runs(1)
        with open('/dev/full', 'w') as full:
            done = subprocess.run([PROGRAM, 'fleet', self.runs, COUNT], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr),
                         (3, 'tracebraid: error: cannot write standard output: No space left on device\n'))

    @unittest.skipIf(os.environ.get('TRACEBRAID_SHORT'), 'a sanitizer has another allocator')
    def test_groups_use_the_memory_of_those_before_them(self):
        def faults(groups):  # of the worker and the parent
            for i in range(groups):
                self.write(f'{groups}/{i}.json', trace_text(20_000))
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
            self.fleet(f'runs/{groups}', COUNT, '--jobs=1')
            return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before
        self.assertLess(faults(30) - faults(10), 20 * 100)  # pages; a group has 200 if it gets all anew

    @IF_MEMORY_IS_LIMITED
    def test_the_memory_of_the_parent_is_small(self):
        for i in range(1000):
            self.write(f'{i:04}.json', trace_text(i % 7 + 1))
        sql = 'SELECT id, CAST(hex(zeroblob(60000)) AS TEXT) AS x FROM slice'
        # In a small process, because a process that is started counts the memory of the one that started it.
        code = ('import os, subprocess, sys\n'
                'with open(sys.argv[1], "wb") as rows:\n'
                '    process = subprocess.Popen(sys.argv[2:], stdout=rows)\n'
                '    status, used = os.wait4(process.pid, 0)[1:]\n'
                'print(status, used.ru_maxrss)')
        done = subprocess.run([sys.executable, '-c', code, 'rows.csv', PROGRAM, 'fleet', 'runs', sql, '--jobs=2', '--sort'],
                              cwd=self.folder, stdout=subprocess.PIPE, text=True, check=True)
        status, peak = map(int, done.stdout.split())
        self.assertEqual(status, 0)
        self.assertGreater((self.folder / 'rows.csv').stat().st_size, 400 << 20)
        self.assertLess(peak, 300 << 10)


class Resuming(Fleets):
    def setUp(self):
        super().setUp()
        self.write_runs(4)
        self.out = self.folder / 'out/rows.csv'
        self.out.parent.mkdir()
        self.journal = self.folder / 'out/rows.csv.resume/journal'

    def write_rows(self, *arguments, status=0, sql=SLOW):
        self.fleet('runs', sql, SLOW_TYPES, '--jobs=1', '--output', self.out, *arguments, status=status)
        return self.out.read_bytes() if status == 0 else None

    def end_after_three_groups(self, number):
        """Sends a signal to a run that hangs in the last group. Returns its status and what it said."""
        hangs = self.write('run-00/trace.json', trace_text(1, 'hang'))
        process = subprocess.Popen([PROGRAM, 'fleet', 'runs', SLOW, SLOW_TYPES, '--jobs=1', '--output', str(self.out)],
                                   cwd=self.folder, text=True, stderr=subprocess.PIPE)
        wait_until(lambda: self.journal.exists() and self.journal.read_bytes().count(b'\n') == 4)
        process.send_signal(number)
        said = process.communicate(timeout=60)[1]
        self.assertFalse(self.out.exists())
        hangs.write_text(trace_text(1))
        return process.returncode, said

    def test_a_killed_run_continues_and_ends_with_the_same_bytes(self):
        whole = self.write_rows()
        self.assertEqual(whole.count(b'\n'), 5)
        for number, status in ((signal.SIGKILL, -9), (signal.SIGINT, 130), (signal.SIGTERM, 143)):
            self.out.unlink()
            found, said = self.end_after_three_groups(number)
            self.assertEqual(found, status)
            if number != signal.SIGKILL:
                self.assertIn('rows.csv.resume has the groups that ended: --resume continues', said)
            with open(self.journal, 'ab') as file:
                file.write(b'{"group": "run-0')  # a line that was not written to its end
            ended = self.runs / 'run-02/trace.json'
            text, times = ended.read_text(), (ended.stat().st_atime_ns, ended.stat().st_mtime_ns)
            ended.write_text('-' * len(text))  # is not read again
            os.utime(ended, ns=times)
            self.assertEqual(self.write_rows('--resume'), whole)
            self.assertEqual(os.listdir(self.out.parent), ['rows.csv'])
            ended.write_text(text)

    def test_groups_whose_files_changed_run_again(self):
        whole = self.write_rows()
        self.out.unlink()
        self.end_after_three_groups(signal.SIGKILL)
        self.write('run-03/trace.json', trace_text(7))
        changed = self.write_rows('--resume')
        self.assertEqual(changed.splitlines()[:4], whole.splitlines()[:4])
        self.assertIn(b',7,', changed.splitlines()[4])

    def test_another_question_is_refused(self):
        self.end_after_three_groups(signal.SIGKILL)
        kept = self.journal.read_bytes()
        for arguments, sql in (([], 'SELECT count(*) AS n, 1 AS steps FROM slice'), (['--max-rows=7'], SLOW), (['--provenance=full'], SLOW),
                               (['--drop-negative'], SLOW)):
            self.write_rows('--resume', *arguments, sql=sql, status=2)
        self.assertEqual(self.journal.read_bytes(), kept)
        self.assertEqual(self.write_rows().count(b'\n'), 5)  # begins anew

    def test_a_damaged_journal_is_an_error(self):
        self.end_after_three_groups(signal.SIGKILL)
        lines = self.journal.read_bytes().splitlines(keepends=True)
        self.journal.write_bytes(lines[0] + b'{"group": 7}\n')
        self.write_rows('--resume', status=3)
        self.journal.write_bytes(b''.join(lines))
        rows = self.journal.with_name('rows')
        rows.write_bytes(b'x' * 5 + rows.read_bytes()[5:])
        self.write_rows('--resume', status=3)

    def test_a_second_run_to_one_file_is_refused(self):
        self.write('run-00/trace.json', trace_text(1, 'hang'))
        process = subprocess.Popen([PROGRAM, 'fleet', 'runs', SLOW, SLOW_TYPES, '--jobs=1', '--output', str(self.out)],
                                   cwd=self.folder, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_until(self.journal.exists)
        wait_until(lambda: self.journal.stat().st_size > 0)
        self.write_rows(status=2)

    def test_a_full_disk_ends_the_run_which_continues_when_there_is_room(self):
        sql = 'SELECT CAST(hex(zeroblob(300000)) AS TEXT) AS x FROM slice'

        def limit():  # of the size of files; stands for a disk that is full
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))
        done = self.fleet('runs', sql, '--jobs=1', '--output', self.out, status=3, limits=limit)
        self.assertRegex(done.stderr, '^tracebraid: error: .*File too large\n.*rows.csv.resume has the groups that ended')
        self.assertEqual(os.listdir(self.out.parent), ['rows.csv.resume'])
        self.fleet('runs', sql, '--jobs=1', '--output', self.out, '--resume')
        whole = self.out.read_bytes()
        self.fleet('runs', sql, '--jobs=1', '--output', self.out)
        self.assertEqual(self.out.read_bytes(), whole)

    def test_a_folder_as_output_has_a_file_of_parquet(self):
        arguments = ['runs', COUNT, '--jobs=1', '--output', f'{self.out.parent}/rows/']
        done = subprocess.run([PROGRAM, 'fleet', *arguments], cwd=self.folder, capture_output=True, text=True)
        if done.returncode == 3 and 'cannot write Parquet' in done.stderr:
            self.skipTest('the build has no Apache Arrow')
        self.assertEqual(done.returncode, 0, done.stderr)
        (path,) = (self.out.parent / 'rows').iterdir()
        self.assertEqual((path.name, path.read_bytes()[:4]), ('part-0.parquet', b'PAR1'))


class Caching(Fleets):
    def test_the_cache_keeps_what_was_used_last(self):
        for i in range(4):
            self.write(f'{i}.json', trace_text(i + 1))

        def run(source, *arguments):
            return list(self.counts(f'runs/{source}', '--jobs=1', '--cache-dir=cache', *arguments).values())

        def braids():
            return sorted((self.folder / 'cache').glob('*.braid'), key=lambda path: path.stat().st_atime_ns)
        self.assertEqual(run('*.json'), [1, 2, 3, 4])
        size = sum(path.stat().st_size for path in braids())
        self.assertEqual(len(braids()), 4)
        for path in braids():
            os.utime(path, (1, 2))
        self.assertEqual(run('[02].json'), [1, 3])
        used = braids()[2:]
        self.assertTrue(all(path.stat().st_atime > 2 and path.stat().st_mtime == 2 for path in used))
        self.assertEqual(run('0.json', f'--cache-size={size - 1}'), [1])
        self.assertEqual(len(braids()), 3)
        kept = sum(path.stat().st_size for path in used)
        self.assertEqual(run('[02].json', f'--cache-size={kept // 1024 + 1}K'), [1, 3])
        self.assertEqual(sorted(braids()), sorted(used))


class Progress(PseudoTerminal, Fleets):
    LINE = r'1 of 2 groups, [01] failed, \d+ MB/s, \d+ s left'

    def setUp(self):
        super().setUp()
        self.dir = str(self.folder)
        self.write_runs(2)

    def test_a_terminal_shows_groups_rate_and_time_left_until_the_end(self):
        self.write('run-00/trace.json', trace_text(1, 'hang'))
        self.start('fleet', 'runs', SLOW, SLOW_TYPES, '--jobs=2', width=100)
        self.expect(self.LINE)
        self.type('\x03')
        while self.read_some(60):
            pass
        self.assertEqual(self.wait(), 130)
        self.assertIn('\r\x1b[K', self.seen)
        self.assertEqual(workers_of(self.pid), [])

    def test_groups_that_failed_are_counted(self):
        self.write('run-00/trace.json', trace_text(1, 'hang'))
        self.write('run-01/trace.json', 'no trace')
        self.start('fleet', 'runs', SLOW, SLOW_TYPES, '--jobs=2', '--on-error=rows', '--timeout=30s', width=100)
        self.assertNotIn(' of ', self.expect(self.LINE.replace('[01]', '1')))
        self.type('\x03')
        while self.read_some(60):
            pass
        self.assertEqual(self.wait(), 130)

    def test_the_rows_stay_alone_on_the_terminal(self):
        lines = self.output('fleet', 'runs', COUNT, '--sort', '--format=tsv', width=100)
        self.assertEqual([line.split('\t')[0] for line in lines if line], ['_group', 'run-00/trace.json', 'run-01/trace.json'])

    def test_progress_can_be_left_out(self):
        self.start('fleet', 'runs', COUNT, '--no-progress')
        while self.read_some(60):
            pass
        self.assertEqual(self.wait(), 0)
        self.assertNotRegex(self.seen, r'\d of \d groups')


if __name__ == '__main__':
    unittest.main()
