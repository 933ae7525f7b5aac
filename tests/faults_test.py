#!/usr/bin/env python3
"""Faults of the system: a read fails, a file changes or shrinks while it is read, memory runs out.
Each gives an error that names the file and says what to do, exit status 3, and leaves no files
behind; or all rows.

  faults_test.py TRACEBRAID FAULTS.so VECTORS

Makes the first allocation of a call stack fail: for all call stacks with TRACEBRAID_ALL_FAULTS=1, for about a
hundred without it.
"""
import array
import gzip
import json
import lzma
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile

TRACEBRAID, FAULTS, VECTORS = (os.path.abspath(a) for a in sys.argv[1:4])
IS_SLOW = os.environ.get('TRACEBRAID_ALL_FAULTS') == '1'
MOST_FAILURES = 120  # of allocations, for each kind of input, unless all are requested
INPUT_ERROR = 3
SQL = 'SELECT count(*) AS n, count(DISTINCT name) AS names, sum(dur) AS dur FROM slice'


def json_trace(events):
    return json.dumps([{'ph': 'X', 'name': f'event {i}', 'pid': 1, 'tid': i % 5, 'ts': i * 10, 'dur': 7,
                        'args': {'number': i, 'text': f'the text of {i % 7}'}} for i in range(events)]).encode()


def run(*arguments, **faults):
    environment = {**os.environ, **{name: str(value) for name, value in faults.items()}}
    if faults:
        environment['LD_PRELOAD'] = FAULTS
    return subprocess.run([TRACEBRAID, *arguments], capture_output=True, text=True, timeout=120, check=False,
                          env=environment)


class Faults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.temporary = os.path.join(self.folder, 'tmp')
        os.mkdir(self.temporary)

    def file(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, 'wb') as file:
            file.write(content)
        os.utime(path, (10**9, 10**9))  # an old time, so that a change is visible
        return path

    def traces(self):
        """Returns mapped and read inputs, for each way of reading."""
        text = json_trace(20_000)
        yield self.file('large.json', text)
        yield self.file('small.json', json_trace(100))
        yield self.file('packed.json.gz', gzip.compress(text, 1))
        path = os.path.join(self.folder, 'archive.zip')
        with zipfile.ZipFile(path, 'w') as archive:
            archive.writestr('a.json', text)
            archive.writestr('b.json', json_trace(5), zipfile.ZIP_DEFLATED)
        os.utime(path, (10**9, 10**9))
        yield path

    def check_failure(self, done, path, *said):
        self.assertEqual(done.returncode, INPUT_ERROR, (path, done.stderr))
        for text in (path, *said):
            self.assertIn(text, done.stderr)
        self.assertEqual(os.listdir(self.temporary), [])

    def query(self, path, sql=SQL, **faults):
        return run('query', path, sql, '-f', 'jsonl', '--threads', '2', TMPDIR=self.temporary, **faults)

    def test_a_read_that_fails(self):
        for path in self.traces():
            at = os.path.getsize(path) // 2
            done = self.query(path, FAULT_FILE=path, FAULT_READ_AT=at)
            self.check_failure(done, path, 'cannot read at byte ', 'Input/output error')
            reported = int(done.stderr.split('cannot read at byte ')[1].split(':')[0])
            self.assertLessEqual(reported, at)
            self.assertGreater(reported, at - 4096)
            self.assertEqual(done.stdout, '')

    def test_one_bad_file_among_others(self):
        folder = os.path.join(self.folder, 'traces')
        os.mkdir(folder)
        for name in ('a', 'b', 'c'):
            path = self.file(f'traces/{name}.json', json_trace(2_000))
        done = run('query', folder, SQL, FAULT_FILE=path, FAULT_READ_AT=70_000)
        self.check_failure(done, path, 'cannot read at byte')

    def test_a_file_that_shrinks(self):
        for path in self.traces():
            with open(path, 'rb') as file:
                whole = file.read()
            if len(whole) < 1 << 16:
                continue  # small files are read at once
            for size in (0, len(whole) // 2, len(whole) - 1):
                done = self.query(path, FAULT_FILE=path, FAULT_SHRINK_TO=size)
                self.check_failure(done, path, f'shrank from {len(whole)} to {size} bytes', 'copy')
                self.file(os.path.basename(path), whole)

    def test_a_file_that_is_written_to(self):
        path = self.file('large.json', json_trace(20_000))
        self.check_failure(self.query(path, FAULT_FILE=path, FAULT_TOUCH=1), path, 'written to', 'copy')

    def test_a_braid_that_fails(self):
        path, braid = self.file('large.json', json_trace(20_000)), os.path.join(self.folder, 'all.braid')
        self.assertEqual(run('export', path, '--to', 'braid', '-o', braid, '--force').returncode, 0)
        os.utime(braid, (10**9, 10**9))
        size = os.path.getsize(braid)
        self.check_failure(self.query(braid, FAULT_FILE=braid, FAULT_READ_AT=size // 2), braid, 'cannot read at byte')
        self.check_failure(self.query(braid, FAULT_FILE=braid, FAULT_SHRINK_TO=size // 2), braid, 'shrank')

    def test_nothing_is_made_of_what_could_not_be_read(self):
        path, out = self.file('large.json', json_trace(20_000)), os.path.join(self.folder, 'out')
        for command in (['export', path, '--to', 'json', '-o', out, '--force'], ['export', path, '--to', 'sqlite', '-o', out, '--force'],
                        ['merge', path, '-o', out, '--force']):
            before = sorted(os.listdir(self.folder))
            done = run(*command, FAULT_FILE=path, FAULT_READ_AT=os.path.getsize(path) // 2)
            self.check_failure(done, path, 'at byte')
            self.assertEqual(sorted(os.listdir(self.folder)), before)
        done = run('query', path, SQL, '--cache', FAULT_FILE=path, FAULT_READ_AT=os.path.getsize(path) // 2)
        self.check_failure(done, path, 'at byte')
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_threads_that_cannot_be_had(self):
        path = self.file('large.json', json_trace(20_000))
        arguments = ('query', path, SQL, '-f', 'jsonl', '--threads', '4')
        wanted = run(*arguments).stdout
        for threads in range(4):
            done = run(*arguments, FAULT_THREADS=threads)
            self.assertEqual((done.returncode, done.stdout), (0, wanted), (threads, done.stderr))
        done = run(*arguments, '--timeout', '60', FAULT_THREADS=0)
        self.assertEqual((done.returncode, done.stdout), (INPUT_ERROR, ''), done.stderr)
        self.assertIn('cannot start a thread', done.stderr)

    def small_traces(self):
        yield self.file('a.json', json_trace(10))
        for suffix, pack in (('gz', gzip.compress), ('xz', lzma.compress)):
            yield self.file('a.json.' + suffix, pack(json_trace(10)))
        for name in ('perfetto-proto/extreme_values/trace.pb', 'ftrace-text/bad_switch_fields/trace.txt',
                     'clocks-and-merging/rendezvous_three_machines/trace.zip'):
            path = os.path.join(VECTORS, name)
            self.assertTrue(os.path.exists(path), path)
            yield path

    def allocations(self, *arguments):
        """Returns the numbers of the allocations to fail, and the output of the program if none fails."""
        path = os.path.join(self.folder, 'stacks')
        done = run(*arguments, FAULT_STACKS=path)
        self.assertEqual(done.returncode, 0, done.stderr)
        places = {}
        with open(path, 'rb') as file:
            for number, place in enumerate(array.array('Q', file.read()), 1):
                places.setdefault(place, number)
        os.remove(path)
        numbers = list(places.values())
        chosen = numbers if IS_SLOW else numbers[::max(1, len(numbers) // MOST_FAILURES)]
        print(f'{arguments[0]} {os.path.basename(arguments[1])}: {len(chosen)} of {len(numbers)} places that allocate')
        return chosen, done.stdout

    def check_no_memory(self, arguments, what, wanted, **fault):
        done = run(*arguments, TMPDIR=self.temporary, **fault)
        if done.returncode == 0:  # the program can continue without some allocations
            self.assertEqual(done.stdout, wanted, what)
        else:
            self.assertEqual(done.returncode, INPUT_ERROR, (what, done.stderr))
            self.assertIn('out of memory', done.stderr, what)
        self.assertEqual(os.listdir(self.temporary), [], what)

    def test_memory_that_ends(self):
        for path in self.small_traces():
            arguments = ('query', path, SQL, '-f', 'jsonl', '--threads', '1')
            chosen, wanted = self.allocations(*arguments)
            for turn, i in enumerate(chosen):
                self.check_no_memory(arguments, (path, 'once', i), wanted, FAULT_ALLOCATION=i)
                if IS_SLOW or turn % 5 == 0:
                    self.check_no_memory(arguments, (path, 'from', i), wanted, FAULT_ALLOCATIONS=i)

    def test_memory_that_ends_in_threads_and_exports(self):
        path, out = self.file('large.json', json_trace(1_000)), os.path.join(self.folder, 'out')
        before = sorted(os.listdir(self.folder))
        slices = ('--table', 'slice')
        for arguments in (('query', path, SQL, '-f', 'jsonl', '--threads', '3'),
                          ('export', path, '-q', '--to', 'json', '-o', out, '--force'),
                          ('export', path, '-q', '--to', 'perfetto', '-o', out, '--force'),
                          ('export', path, '-q', '--to', 'braid', '-o', out, '--force'),
                          ('export', path, '-q', '--to', 'csv', *slices, '-o', out, '--force'),
                          ('export', path, '-q', '--to', 'jsonl', *slices, '-o', out, '--force'),
                          ('merge', path, '-q', '-o', out, '--force'),
                          ('export', path, '-q', '--to', 'sqlite', '-o', out, '--force')):
            chosen, wanted = self.allocations(*arguments)
            if not IS_SLOW:
                chosen = chosen[::3]
            for i in chosen:
                if os.path.exists(out):
                    os.remove(out)
                self.check_no_memory(arguments, (arguments, i), wanted, FAULT_ALLOCATION=i)
                self.assertIn(sorted(os.listdir(self.folder)), (before, sorted([*before, 'out'])))


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
