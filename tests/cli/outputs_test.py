#!/usr/bin/env python3
"""Outputs never replace inputs, and replace other files with --force only.

TRACEBRAID names the program.
"""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
FOLDER_KINDS = ('csv', 'tsv', 'jsonl')
FILE_KINDS = ('json', 'perfetto', 'sqlite', 'braid')


def trace(*names):
    """Returns a JSON trace with a slice for each name, 1 ms each, 10 ms apart."""
    return json.dumps([{'ph': 'X', 'ts': 10_000 * i, 'dur': 1000, 'name': name, 'pid': 1, 'tid': 1}
                       for i, name in enumerate(names)])


class Outputs(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix='tracebraid-outputs-'))
        self.addCleanup(shutil.rmtree, self.dir)
        self.write('a.json', trace('draw', 'wait'))
        self.write('b.json', trace('send'))
        self.write('m.json', '{"perfetto_manifest":{"version":1,"files":[{"path":"a.json"}]}}')

    def write(self, name, text):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return name

    def run_it(self, *arguments, status=0, stdin=None):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120, cwd=self.dir, stdin=stdin)
        self.assertEqual(done.returncode, status, f'{arguments}: {done.stdout}{done.stderr}')
        return done.stderr

    def digests(self):
        return {str(path.relative_to(self.dir)): hashlib.sha256(path.read_bytes()).hexdigest()
                for path in sorted(self.dir.rglob('*')) if path.is_file()}

    def refused(self, *arguments, says='would replace'):
        """Runs a command that must change no file, even with --force."""
        before = self.digests()
        for force in ([], ['--force']):
            self.assertIn(says, self.run_it(*arguments, *force, status=2))
            self.assertEqual(self.digests(), before, arguments)

    def test_an_input_is_never_replaced(self):
        os.symlink('a.json', self.dir / 'link.json')
        os.link(self.dir / 'a.json', self.dir / 'twin.json')
        for out in ('a.json', './a.json', 'link.json', 'twin.json', str(self.dir / 'a.json')):
            self.refused('manifest', 'b.json', 'a.json', '-o', out)
            self.refused('merge', 'a.json', 'b.json', '-o', out)
            for kind in FILE_KINDS:
                self.refused('export', 'b.json', 'a.json', '--to', kind, '-o', out)
            self.refused('export', 'a.json', '--to', 'csv', '--table', 'slice', '-o', out)

    def test_a_graph_replaces_no_input(self):
        self.write('a.svg', trace('draw'))
        self.refused('check', 'a.svg', 'b.json', '--graph', 'a.svg')

    def test_the_manifest_is_an_input(self):
        for command in (['merge', 'a.json'], ['manifest', 'a.json'], ['export', 'a.json', '--to', 'json']):
            self.refused(*command, '--manifest', 'm.json', '-o', 'm.json')

    def test_a_file_in_a_folder_is_an_input(self):
        self.write('traces/deep/c.json', trace('c'))
        self.refused('export', 'traces', '--to', 'json', '-o', 'traces/deep/c.json')
        self.refused('merge', 'traces', '-o', 'traces/deep/c.json')

    def test_standard_input_is_an_input(self):
        with open(self.dir / 'a.json', encoding='utf-8') as source:
            self.assertIn('would replace', self.run_it('export', '-', '--to', 'json', '-o', 'a.json', '--force', status=2,
                                                       stdin=source))

    def test_a_cached_trace_protects_its_inputs(self):
        self.run_it('query', 'a.json', 'select 1', '--cache')
        self.refused('export', 'a.json', '--cache', '--to', 'json', '-o', 'a.json')

    def test_an_existing_file_needs_force(self):
        commands = [['manifest', 'a.json', '-o', 'out'], ['merge', 'a.json', '-o', 'out']]
        commands += [['export', 'a.json', '--to', kind, '-o', 'out'] for kind in FILE_KINDS]
        commands += [['export', 'a.json', '--to', kind, '--table', 'slice', '-o', 'out'] for kind in FOLDER_KINDS]
        commands += [['check', 'a.json', '--graph', 'out.dot']]
        for command in commands:
            name = command[-1]
            self.write(name, 'notes')
            self.assertIn('--force', self.run_it(*command, status=2))
            self.assertEqual((self.dir / name).read_text(), 'notes', command)
            self.run_it(*command, '--force')
            self.assertNotEqual((self.dir / name).read_bytes(), b'notes', command)

    def test_devices_need_no_force(self):
        self.run_it('export', 'a.json', '--to', 'json', '-o', '/dev/null')
        self.run_it('manifest', 'a.json', '-o', '/dev/null')

    def test_a_folder_with_other_files(self):
        self.write('out/slice.csv', 'notes')
        self.assertIn('--force', self.run_it('export', 'a.json', '--to', 'csv', '-o', 'out', status=2))
        self.assertEqual([path.name for path in (self.dir / 'out').iterdir()], ['slice.csv'])
        self.assertEqual((self.dir / 'out/slice.csv').read_text(), 'notes')
        self.run_it('export', 'a.json', '--to', 'csv', '-o', 'out', '--force')
        self.assertIn('draw', (self.dir / 'out/slice.csv').read_text())

    def test_a_folder_of_an_earlier_export(self):
        (self.dir / 'out/empty').mkdir(parents=True)
        for kind in FOLDER_KINDS:
            self.run_it('export', 'a.json', '--to', kind, '-o', 'out')
            self.run_it('export', 'b.json', '--to', kind, '-o', 'out')
            self.assertIn('send', (self.dir / f'out/slice.{kind}').read_text())
        # Fewer tables: those of the earlier export would be mistaken for this one's.
        tables = ['--table', 'slice', '--table', 'thread']
        self.run_it('export', 'b.json', '--to', 'csv', '-o', 'out', *tables)
        self.assertEqual(sorted(path.name for path in (self.dir / 'out').glob('*.csv')), ['slice.csv', 'thread.csv'])
        self.assertTrue((self.dir / 'out/process.tsv').exists(), 'files of another kind stay')
        # Other files in the folder stay, and are not replaced.
        self.write('out/notes.txt', 'notes')
        self.write('out/process.csv', 'notes')
        self.assertIn('--force', self.run_it('export', 'a.json', '--to', 'csv', '-o', 'out', status=2))
        self.assertNotIn('draw', (self.dir / 'out/slice.csv').read_text())
        self.run_it('export', 'a.json', '--to', 'csv', '-o', 'out', *tables)
        for name in ('notes.txt', 'process.csv'):
            self.assertEqual((self.dir / 'out' / name).read_text(), 'notes')

    def test_the_list_of_an_export_names_no_file_outside(self):
        self.write('out/x.csv', 'x')
        self.write('precious.csv', 'notes')
        self.write('out/.tracebraid-export', 'Files of an export of tracebraid:\nx.csv\n../precious.csv\n' +
                   str(self.dir / 'precious.csv') + '\n')
        self.run_it('export', 'a.json', '--to', 'csv', '-o', 'out')
        self.assertFalse((self.dir / 'out/x.csv').exists())
        self.assertEqual((self.dir / 'precious.csv').read_text(), 'notes')

    def test_a_folder_where_a_file_is_meant(self):
        (self.dir / 'out').mkdir()
        for kind in FILE_KINDS:
            self.assertIn('a folder has this name', self.run_it('export', 'a.json', '--to', kind, '-o', 'out', status=3))

    def test_the_cache_replaces_caches_only(self):
        self.write('a.json.braid', 'notes')
        self.assertIn('not a cache', self.run_it('query', 'a.json', 'select 1', '--cache'))
        self.assertEqual((self.dir / 'a.json.braid').read_text(), 'notes')
        (self.dir / 'a.json.braid').unlink()
        self.run_it('export', 'b.json', '--to', 'braid', '-o', 'a.json.braid')
        before = self.digests()
        self.assertIn('not a cache', self.run_it('query', 'a.json', 'select 1', '--cache'))
        self.assertEqual(self.digests(), before)
        (self.dir / 'a.json.braid').unlink()
        self.assertEqual(self.run_it('query', 'a.json', 'select 1', '--cache'), '')
        self.write('a.json', trace('other'))
        self.assertEqual(self.run_it('query', 'a.json', 'select 1', '--cache'), '')
        # An input of the opening.
        self.write('c.json', trace('c'))
        self.write('c.json.braid', trace('d'))
        before = self.digests()
        self.run_it('query', 'c.json', 'c.json.braid', 'select 1', '--cache')
        self.assertEqual(self.digests(), before)


if __name__ == '__main__':
    unittest.main()
