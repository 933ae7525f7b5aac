#!/usr/bin/env python3
"""Braid files: queries give the rows of the inputs; damage is reported.

TRACEBRAID names the program.
"""
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / 'examples'
NAMES = ('phone.pftrace', 'watch.pftrace', 'app.json')
QUERIES = ('SELECT * FROM slice', 'SELECT * FROM args', 'SELECT * FROM thread_state', 'SELECT * FROM counter',
           'SELECT * FROM placement', "SELECT name, value FROM stats WHERE name NOT LIKE '%duration_ns'",
           "SELECT count(*) FROM slice WHERE name = 'no such name'",
           "SELECT TO_REALTIME(ts) FROM slice LIMIT 5", 'SELECT * FROM metadata',
           'SELECT name, extract_arg(arg_set_id, \'debug.n\') FROM slice')


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120)


class Braid(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix='tracebraid-braid-')
        self.addCleanup(shutil.rmtree, self.dir)
        for name in (*NAMES, 'manifest.json'):
            shutil.copy(EXAMPLES / name, self.dir)
        self.inputs = [self.path(name) for name in NAMES] + ['--manifest', self.path('manifest.json')]

    def path(self, name):
        return os.path.join(self.dir, name)

    def output(self, *arguments):
        done = run(*arguments)
        self.assertEqual(done.returncode, 0, (arguments, done.stderr))
        return done.stdout

    def export(self):
        out = self.path('all.braid')
        self.output('export', *self.inputs, '--to', 'braid', '-o', out, '--force')
        return out

    def test_it_answers_as_its_inputs_do(self):
        braid = self.export()
        for sql in QUERIES:
            self.assertEqual(self.output('query', braid, sql), self.output('query', *self.inputs, sql), sql)
        for command in ('info', 'check'):
            self.assertEqual(self.output(command, braid), self.output(command, *self.inputs))
        out = self.path('out.json')
        self.output('export', braid, '--to', 'json', '-o', out)
        direct = self.path('direct.json')
        self.output('export', *self.inputs, '--to', 'json', '-o', direct)
        self.assertEqual(pathlib.Path(out).read_bytes(), pathlib.Path(direct).read_bytes())
        again = self.path('again.braid')
        self.output('export', braid, '--to', 'braid', '-o', again)
        self.assertEqual(pathlib.Path(again).read_bytes(), pathlib.Path(braid).read_bytes())

    def test_it_is_the_same_each_time(self):
        first = pathlib.Path(self.export()).read_bytes()
        for _ in range(3):
            self.assertEqual(pathlib.Path(self.export()).read_bytes(), first)

    def test_damage_is_said(self):
        braid = self.export()
        whole = pathlib.Path(braid).read_bytes()
        bad = self.path('bad.braid')
        for at in (8, 12, 16, 40, 60, 64, len(whole) // 3, len(whole) // 2, len(whole) - 1):
            # Padding between parts has no meaning.
            if at > 64 and whole[at] == 0:
                at = next(i for i in range(at, len(whole)) if whole[i] != 0) if any(whole[at:]) else at
            pathlib.Path(bad).write_bytes(whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1:])
            done = run('query', bad, 'SELECT 1')
            self.assertEqual(done.returncode, 3, at)
            self.assertIn('braid', done.stderr)
            self.assertIn("write it again with 'tracebraid export --to braid'", done.stderr)
        for size in (10, 64, 100, len(whole) - 1):
            pathlib.Path(bad).write_bytes(whole[:size])
            done = run('query', bad, 'SELECT 1')
            self.assertEqual(done.returncode, 3, size)
            self.assertIn('braid', done.stderr)

    def test_no_byte_matters_without_being_noticed(self):
        braid = self.export()
        whole = pathlib.Path(braid).read_bytes()
        bad = self.path('bad.braid')
        sql = 'SELECT count(*), sum(ts), sum(length(name)) FROM slice'
        right = self.output('query', braid, sql)
        chance = random.Random(7)
        for at in [chance.randrange(len(whole)) for _ in range(60)]:
            pathlib.Path(bad).write_bytes(whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1:])
            done = run('query', bad, sql)
            self.assertIn(done.returncode, (0, 3), (at, done.stderr))
            if done.returncode == 0:  # padding between parts
                self.assertEqual(done.stdout, right, at)

    def test_a_large_table_is_looked_at_when_it_is_used(self):
        chance = random.Random(3)
        events = [{'ph': 'X', 'pid': 1, 'tid': 1, 'ts': i * 1000, 'dur': chance.randrange(900), 'name': f'n{i % 50}',
                   'args': {'a': chance.randrange(1 << 62), 'b': chance.randrange(1 << 62)}} for i in range(30000)]
        pathlib.Path(self.path('large.json')).write_text(json.dumps(events))
        braid, bad = self.path('large.braid'), self.path('bad.braid')
        self.output('export', self.path('large.json'), '--to', 'braid', '-o', braid)
        whole = pathlib.Path(braid).read_bytes()
        sql = 'SELECT count(*), sum(dur), sum(length(name)) FROM slice'
        args = ("SELECT sum(int_value / 1000) FROM args",
                "SELECT sum(extract_arg(id, 'args.a') / 1000) FROM slice")
        right = self.output('query', braid, sql)
        noticed = []
        for at in [chance.randrange(len(whole)) for _ in range(30)]:
            pathlib.Path(bad).write_bytes(whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1:])
            done = run('query', bad, sql)
            if done.returncode == 0:
                self.assertEqual(done.stdout, right, at)
                if run('check', bad).returncode == 0:  # padding between parts
                    continue
                done = run('query', bad, args[len(noticed) % len(args)])
                noticed.append(at)
            self.assertEqual(done.returncode, 3, at)
            self.assertIn("write it again with 'tracebraid export --to braid'", done.stderr)
        self.assertGreater(len(noticed), 5)  # args are most of the file

    def test_several_write_the_cache_at_once(self):
        sql = 'SELECT count(*) FROM slice'
        first = self.output('query', *self.inputs, sql)
        runs = [subprocess.Popen([PROGRAM, 'query', *self.inputs, '--cache', sql], stdout=subprocess.PIPE, text=True)
                for _ in range(4)]
        for process in runs:
            self.assertEqual(process.communicate(timeout=120)[0], first)
            self.assertEqual(process.returncode, 0)
        self.assertEqual(self.output('query', self.path('phone.pftrace.braid'), sql), first)
        self.assertEqual([name for name in os.listdir(self.dir) if name.endswith('.tmp')], [])

    def test_it_stands_alone_and_is_whole(self):
        braid = self.export()
        done = run('query', braid, self.path('app.json'), 'SELECT 1')
        self.assertEqual(done.returncode, 2)
        self.assertIn('open it alone', done.stderr)
        done = run('export', *self.inputs, '--to', 'braid', '--from', '1s', '-o', self.path('x'))
        self.assertEqual(done.returncode, 2)
        self.assertFalse(os.path.exists(self.path('x')))

    def test_the_cache_follows_the_content(self):
        cache = self.path('phone.pftrace.braid')
        sql = 'SELECT count(*) FROM slice'
        first = self.output('query', *self.inputs, '--cache', sql)
        written = os.stat(cache).st_mtime_ns
        self.assertEqual(self.output('query', *self.inputs, '--cache', sql), first)
        self.assertEqual(os.stat(cache).st_mtime_ns, written)
        # Another option, then another content, then damage: the braid is written again each time.
        self.output('query', *self.inputs, '--cache', '--drop-negative', sql)
        dropped = os.stat(cache).st_mtime_ns
        self.assertNotEqual(dropped, written)
        pathlib.Path(self.path('app.json')).write_text('[]')
        changed = self.output('query', *self.inputs, '--cache', '--drop-negative', sql)
        self.assertNotEqual(changed, first)
        whole = bytearray(pathlib.Path(cache).read_bytes())
        whole[len(whole) - 5] ^= 1
        pathlib.Path(cache).write_bytes(whole)
        self.assertEqual(self.output('query', *self.inputs, '--cache', '--drop-negative', sql), changed)


if __name__ == '__main__':
    unittest.main()
