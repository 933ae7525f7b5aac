#!/usr/bin/env python3
"""Manifests, verdicts, and names of the inputs of a merge.

TRACEBRAID names the program.
"""
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import unittest
import zipfile

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
LINES_UP = 'Validation: all traces line up on the shared timeline.'
STRACE = ('1700000000.100000 openat(AT_FDCWD, "/etc/passwd", O_RDONLY) = 3 <0.000100>\n'
          '1700000000.200000 close(3) = 0 <0.000050>\n')
LOGCAT = ('2023-11-14 22:13:20.100  100  101 I Tag: hello\n'
          '2023-11-14 22:13:20.200  100  101 I Tag: world\n')
KERNEL = ('# tracer: nop\n#\n'
          '          <idle>-0     [000] d..3 1000.100000: sched_switch: prev_comm=swapper prev_pid=0 prev_prio=120 '
          'prev_state=S ==> next_comm=app next_pid=5 next_prio=120\n'
          '             app-5     [000] d..3 1000.200000: sched_switch: prev_comm=app prev_pid=5 prev_prio=120 '
          'prev_state=S ==> next_comm=swapper next_pid=0 next_prio=120\n')


def trace(*names):
    """Returns a JSON trace with a slice for each name, 1 ms each, 10 ms apart."""
    return json.dumps([{'ph': 'X', 'ts': 10_000 * i, 'dur': 1000, 'name': name, 'pid': 1, 'tid': 1}
                       for i, name in enumerate(names)])


def manifest(*files, **others):
    return json.dumps({'perfetto_manifest': {'version': 1, 'files': list(files), **others}})


class Merging(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix='tracebraid-merging-'))
        self.addCleanup(shutil.rmtree, self.dir)
        self.write('a.json', trace('draw', 'wait'))
        self.write('b.json', trace('send'))

    def write(self, name, text):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def run_it(self, *arguments, status=0):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120, cwd=self.dir)
        self.assertEqual(done.returncode, status, f'{arguments}: {done.stdout}{done.stderr}')
        return done.stdout, done.stderr

    def rows(self, sql, *files):
        out, _ = self.run_it('query', *files, sql, '--format', 'jsonl')
        return [json.loads(line) for line in out.splitlines()[1:]]


class Counts(Merging):
    def test_closing_line_counts_the_files_of_the_archive(self):
        for name in ('runs/x.json', 'runs/y/x.json'):
            self.write(name, trace('x'))
        self.write('runs/notes.txt', 'no trace')
        _, err = self.run_it('merge', 'a.json', 'runs', '-o', 'm.tar')
        self.assertRegex(err, r'note: wrote m\.tar: 3 files, ')

    def test_info_counts_all_rows_of_a_file(self):
        self.write('log.txt', LOGCAT)
        self.write('kernel.txt', KERNEL)
        out, _ = self.run_it('info', 'log.txt')
        self.assertRegex(out, r'(?m)^  events +2 logs$')
        out, _ = self.run_it('info', 'kernel.txt')
        self.assertRegex(out, r'(?m)^  events +.*\b2 sched, .*\bthread_state, 2 ftrace_event$')
        # Two files of one machine share its rows.
        both = json.loads(self.run_it('info', 'log.txt', 'a.json', '--json')[0])
        self.assertEqual([(each['rows'], each['files']) for each in both['machines']],
                         [({'logs': 2}, ['a.json', 'log.txt'])])
        self.assertRegex(self.run_it('info', 'log.txt', 'a.json')[0], r'(?m)^machine host, which 2 files share\n  rows +2 logs$')

    def test_info_names_only_clocks_of_events(self):
        self.write('kernel.txt', KERNEL)
        out, _ = self.run_it('info', 'kernel.txt')
        self.assertNotIn('(0 events', out)


class Template(Merging):
    def test_names_clocks_that_the_files_have(self):
        for name, text, clock, first in (('s.strace', STRACE, 'REALTIME', "slice where name != 'draw' and name != 'wait'"),
                                         ('l.log', LOGCAT, 'REALTIME', 'android_logs'), ('k.txt', KERNEL, None, 'sched')):
            self.write(name, text)
            out, _ = self.run_it('manifest', 'a.json', name)
            document = json.loads(out)
            entry = next(f for f in document['perfetto_manifest']['files'] if f['path'] == 'a.json')
            if clock:
                self.assertEqual(entry['clocks']['sync_to'], {'file': name, 'clock': clock})
            # The offset of the user counts.
            apart = []
            for offset in (0, 7_000_000_000):
                entry['clocks']['offset_ns'] = offset
                self.write('m.json', json.dumps(document))
                self.run_it('manifest', 'validate', 'm.json', 'a.json', name)
                sql = f"select (select ts from slice where name = 'draw') - (select min(ts) from {first})"
                apart += self.rows(sql, 'a.json', name, '--manifest', 'm.json')[0]
            self.assertEqual(apart[1] - apart[0], 7_000_000_000, name)

    def test_gives_each_file_a_machine(self):
        self.write('x/a.json', trace('x'))
        files = json.loads(self.run_it('manifest', 'a.json', 'x/a.json')[0])['perfetto_manifest']['files']
        self.assertEqual(len({f['path'] for f in files}), 2)
        self.assertEqual(len({f['machine']['name'] for f in files}), 2)


class Statements(Merging):
    def both(self, *entries, says, files=('a.json', 's.strace')):
        """A manifest with a relation that places no event: a warning, and an error where that is asked for."""
        self.write('m.json', manifest(*entries))
        _, err = self.run_it('query', *files, 'select 1', '--manifest', 'm.json')
        self.assertIn('warning', err)
        self.assertIn(says, err)
        self.assertIn(says, self.run_it('query', *files, 'select 1', '--manifest', 'm.json', '--strict', status=3)[1])
        _, err = self.run_it('manifest', 'validate', 'm.json', *files, status=1)
        self.assertEqual(err.count(says), 1, err)
        out, err = self.run_it('manifest', 'validate', 'm.json', *files, '--strict', status=1)
        self.assertEqual((out + err).count(says), 1, out + err)
        self.assertIn(says, self.run_it('merge', *files, '--manifest', 'm.json', '-o', 'out.tar', '--force')[1])

    def test_a_clock_that_the_other_file_does_not_have(self):
        self.write('s.strace', STRACE)
        self.both({'path': 's.strace'},
                  {'path': 'a.json', 'clocks': {'sync_to': {'file': 's.strace', 'clock': 'BOOTTIME'}, 'offset_ns': 5}},
                  says="sync_to: 's.strace' has no clock BOOTTIME; the events of the file are on REALTIME")

    def test_a_clock_that_the_file_does_not_have(self):
        self.write('s.strace', STRACE)
        self.both({'path': 's.strace'},
                  {'path': 'a.json', 'clocks': {'clock': 'MONOTONIC', 'sync_to': {'file': 's.strace', 'clock': 'REALTIME'}}},
                  says="'a.json' has no clock MONOTONIC; the events of the file are on its own timeline")

    def test_a_relation_that_better_evidence_replaces(self):
        examples = pathlib.Path(__file__).resolve().parents[2] / 'examples'
        shutil.copy(examples / 'phone.pftrace', self.dir)
        self.both({'path': 'phone.pftrace',
                   'clocks': {'clock': 'MONOTONIC', 'sync_to': {'file': 'phone.pftrace', 'clock': 'BOOTTIME'},
                              'offset_ns': 5}},
                  says='no effect on any event', files=['phone.pftrace'])

    def test_relations_with_an_effect(self):
        self.write('s.strace', STRACE)
        for entry in ({'clocks': {'sync_to': {'file': 's.strace', 'clock': 'REALTIME'}, 'offset_ns': 5}},
                      {'clocks': {'sync_to': {'file': 's.strace'}, 'offset_ns': 5}},
                      {'start': '2023-11-14T22:13:20Z'}):
            self.write('m.json', manifest({'path': 's.strace'}, {'path': 'a.json', **entry}))
            _, err = self.run_it('check', 'a.json', 's.strace', '--manifest', 'm.json', '--strict')
            self.assertEqual(err, '')
            self.run_it('manifest', 'validate', 'm.json', 'a.json', 's.strace')


class SingleInput(Merging):
    def test_machine_names_and_start(self):
        self.write('m.json', manifest({'path': 'a.json', 'machine': {'name': 'laptop'}, 'start': '2026-11-20T12:00:00Z'}))
        with gzip.open(self.dir / 'z.json.gz', 'wt') as out:
            out.write(trace('draw'))
        self.write('z.json', manifest({'path': 'z.json.gz', 'machine': {'name': 'laptop'}}))
        self.write('g.json', manifest({'path': '*.json', 'glob': True, 'machine': {'name': 'laptop'}}))
        for name, by in (('a.json', 'm.json'), (str(self.dir / 'a.json'), 'm.json'), ('z.json.gz', 'z.json'),
                         ('a.json', 'g.json')):
            rows = self.rows('select m.name, count(*) from process p join machine m on m.id = p.machine_id '
                             'where p.pid = 1', name, '--manifest', by)
            self.assertEqual(rows, [['laptop', 1]], name)
            self.assertEqual(self.run_it('check', name, '--manifest', by, '--strict')[1], '')
        self.assertIn('2026-11-20 12:00:00', self.run_it('check', 'a.json', '--manifest', 'm.json')[0])
        # The name in the tables is that of a sole input.
        self.assertEqual(self.rows('select name from trace_file', 'a.json', '--manifest', 'm.json'), [[None]])

    def test_a_relation_inside_the_file(self):
        examples = pathlib.Path(__file__).resolve().parents[2] / 'examples'
        shutil.copy(examples / 'phone.pftrace', self.dir)
        out, _ = self.run_it('manifest', 'phone.pftrace')
        self.write('m.json', out)
        self.run_it('manifest', 'validate', 'm.json', 'phone.pftrace', '--strict')
        self.assertEqual(self.rows("select count(*) from machine where name = 'phone'", 'phone.pftrace', '--manifest', 'm.json'),
                         [[1]])

    def test_an_archive_names_its_members(self):
        self.run_it('merge', 'a.json', 'b.json', '-o', 'both.tar')
        self.write('m.json', manifest({'path': 'b.json', 'machine': {'name': 'laptop'}}))
        self.assertEqual(self.rows("select count(*) from machine where name = 'laptop'", 'both.tar', '--manifest', 'm.json'),
                         [[1]])

    def test_another_name_is_told(self):
        self.write('m.json', manifest({'path': 'c.json', 'machine': {'name': 'laptop'}}))
        self.assertIn("no input has the path 'c.json'", self.run_it('info', 'a.json', '--manifest', 'm.json')[1])


class OneVerdict(Merging):
    def last_lines(self, *files, strict, status):
        """Returns what check, merge and manifest validate end with; it must be equal."""
        self.write('m.json', manifest({'path': files[0]}))
        strict = ['--strict'] if strict else []
        ends = []
        for command in (['check', *files, '--manifest', 'm.json'],
                        ['merge', *files, '--manifest', 'm.json', '-o', 'out.tar', '--force'],
                        ['manifest', 'validate', 'm.json', *files]):
            out, _ = self.run_it(*command, *strict, status=status)
            ends.append(out.split('\n\n')[-1].replace('out.tar/', ''))
        self.assertEqual(ends[0], ends[1])
        self.assertEqual(ends[0], ends[2])
        return ends[0]

    def test_a_guess_does_not_line_up(self):
        self.write('s.strace', STRACE)
        for strict, status in ((False, 0), (True, 1)):
            end = self.last_lines('a.json', 's.strace', strict=strict, status=status)
            self.assertNotIn('all traces line up on', end.replace('not all traces', ''))
            self.assertIn('guess', end)

    def test_traces_that_line_up(self):
        self.write('s.strace', STRACE)
        self.write('t.strace', STRACE)
        for strict in (False, True):
            self.assertEqual(self.last_lines('s.strace', 't.strace', strict=strict, status=0), LINES_UP + '\n')

    def test_json(self):
        self.write('s.strace', STRACE)
        self.assertEqual(json.loads(self.run_it('check', '--json', 's.strace', 'a.json')[0])['lines_up'], False)
        self.assertEqual(json.loads(self.run_it('check', '--json', 's.strace')[0])['lines_up'], True)


class NamedFiles(Merging):
    def test_a_file_that_is_no_trace(self):
        self.write('notes.txt', 'these are notes\n')
        self.write('empty.json', '')
        with gzip.open(self.dir / 'notes.gz', 'wt') as out:
            out.write('these are notes\n')
        for name in ('notes.txt', 'empty.json', 'notes.gz'):
            for command in (['query', 'a.json', name, 'select 1'], ['check', name, 'a.json'], ['info', 'a.json', name],
                            ['export', 'a.json', name, '--to', 'json', '-o', 'out.json']):
                _, err = self.run_it(*command, status=3)
                self.assertIn(name, err)
                self.assertIn('--skip-unknown', err)
            self.assertFalse((self.dir / 'out.json').exists())
            out, err = self.run_it('query', 'a.json', name, 'select count(*) n from slice', '-f', 'csv', '--skip-unknown')
            self.assertEqual(out.split(), ['n', '2'])
            self.assertIn('warning', err)

    def test_in_a_folder_it_is_a_warning(self):
        self.write('traces/notes.txt', 'these are notes\n')
        self.write('traces/c.json', trace('c'))
        for files in (['traces'], ['traces', 'a.json']):
            self.assertIn('notes.txt', self.run_it('query', *files, 'select 1')[1])

    def test_alone_it_is_an_error_anyway(self):
        self.write('notes.txt', 'these are notes\n')
        for option in ([], ['--skip-unknown']):
            self.run_it('info', 'notes.txt', *option, status=3)

    def test_merge(self):
        self.write('notes.txt', 'these are notes\n')
        self.assertIn('--skip-unknown', self.run_it('merge', 'a.json', 'notes.txt', '-o', 'out.tar', status=3)[1])
        self.assertFalse((self.dir / 'out.tar').exists())
        self.assertIn('left out', self.run_it('merge', 'a.json', 'notes.txt', '-o', 'out.tar', '--skip-unknown')[1])
        self.assertEqual(self.members('out.tar'), ['a.json'])
        self.assertIn('no trace files', self.run_it('merge', 'notes.txt', '-o', 'o.tar', '--skip-unknown', status=3)[1])

    def members(self, name):
        listing = subprocess.run(['tar', 'tf', name], cwd=self.dir, capture_output=True, text=True, check=True)
        return listing.stdout.split()

    def test_merge_takes_folders(self):
        self.write('traces/deep/c.json', trace('c'))
        self.write('traces/a.json', trace('d'))
        self.write('traces/notes.txt', 'these are notes\n')
        self.write('traces/.hidden.json', trace('hidden'))
        self.run_it('merge', 'traces', '-o', 'one.tar')
        self.assertEqual(self.members('one.tar'), ['a.json', 'deep/c.json'])
        self.run_it('merge', 'traces/', 'a.json', '-o', 'two.tar')
        names = self.members('two.tar')
        self.assertEqual(names, ['traces/a.json', 'deep/c.json', f'{self.dir.name}/a.json'])
        # The archive names its files as opening the same inputs does, so one manifest fits both.
        self.assertEqual(sorted(names), sorted(r[0] for r in self.rows('select name from trace_file where trace_type = '
                                                                        "'json'", 'traces', 'a.json')))
        self.assertEqual(self.rows('select count(*) from slice', 'two.tar'), [[4]])

    def test_merge_keeps_paths_of_equal_names(self):
        for folder in ('x', 'y', '.z'):
            self.write(f'{folder}/t.json', trace(folder))
        self.run_it('merge', 'x/t.json', 'y/t.json', '.z/t.json', 'b.json', '-o', 'out.tar')
        names = ['x/t.json', 'y/t.json', '_z/t.json', 'b.json']
        self.assertEqual(self.members('out.tar'), names)
        self.write('m.json', manifest({'path': 'y/t.json', 'machine': {'name': 'y'}}))
        for files in (['out.tar'], ['x/t.json', 'y/t.json', '.z/t.json', 'b.json']):
            self.assertEqual(self.rows('select count(*) from slice', *files), [[4]])
            self.assertEqual(self.rows("select count(*) from slice join thread_track t on t.id = track_id join thread using "
                                       "(utid) join machine m on m.id = thread.machine_id where m.name = 'y'",
                                       *files, '--manifest', 'm.json'), [[1]])

    def test_other_programs_read_the_archives(self):
        files = {f'{"d" * 120}/{"ü" * 60}.json': trace('long'), 'a.json': trace('draw', 'wait'),
                 'large.json': trace(*map(str, range(30_000)))}
        for name, text in files.items():
            self.write(f'in/{name}', text)
        for name in ('out.zip', 'out.tar'):
            self.run_it('merge', 'in', '-o', name)
        with zipfile.ZipFile(self.dir / 'out.zip') as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual({name: archive.read(name).decode() for name in archive.namelist()}, files)
        with tarfile.open(self.dir / 'out.tar') as archive:
            found = {member.name: archive.extractfile(member).read().decode() for member in archive}
        self.assertEqual(found, files)

    def test_the_same_file_twice(self):
        self.assertIn("share the name 'a.json'", self.run_it('merge', 'a.json', './a.json', '-o', 'o.tar', status=2)[1])


class Explain(Merging):
    def test_two_matches_are_listed(self):
        for folder in ('x', 'y'):
            self.write(f'{folder}/t.json', trace(folder))
        _, err = self.run_it('check', 'x/t.json', 'y/t.json', 'a.json', '--explain', 't.json', status=2)
        self.assertIn('2 inputs', err)
        for path in ('x/t.json', 'y/t.json'):
            self.assertIn(path, err)
            self.assertIn(path, self.run_it('check', 'x/t.json', 'y/t.json', '--explain', path)[0])
        with gzip.open(self.dir / 'z.json.gz', 'wt') as out:
            out.write(trace('draw'))
        self.run_it('check', 'z.json.gz', 'a.json', '--explain', 'z.json.gz')


if __name__ == '__main__':
    unittest.main()
