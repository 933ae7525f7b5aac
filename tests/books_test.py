#!/usr/bin/env python3
"""The books balance: each event of a file is on a row or counted as lost, in every command.

Events are counted by readers of their own (oracle/event_counts.py, oracle/format_counts.py, json_counts.py). The vectors and
real traces are compared with rows and losses of `tracebraid query`; small traces with the words of `check`, `query`, `info` and
`export`, and with the exit status under --strict.

  books_test.py [TRACES]          TRACEBRAID and TRACEBRAID_VECTORS name the program and the vectors
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parent / 'oracle')]
import event_counts  # noqa: E402
import format_counts  # noqa: E402
import json_counts  # noqa: E402

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
VECTORS = pathlib.Path(os.environ['TRACEBRAID_VECTORS'])
TRACES = None
TEXTS = ('.systrace', '.html', '.txt', '.ftrace', '.trace')
PROTOS = ('.pb', '.pftrace', '.perfetto-trace', '.pftrace.gz')
JSONS = ('.json', '.json.gz')

# Vectors that do not balance, and why.
UNBALANCED = {
    **dict.fromkeys(('embedded_controller', 'embedded_event_array', 'embedded_json_object', 'file_controller_key_behind'),
                    'the reader in Python does not read traces inside the file'),
    'file_trace_events_twice': 'the reader in Python keeps the last of two keys',
    **dict.fromkeys(('number_rounds_long_fraction', 'number_ts_overflow'), 'times beyond what the reader in Python takes'),
    **dict.fromkeys(('legacy_async_steps_mixed', 'te_130_mixed'), 'one count for all steps of a slice, as specified'),
    **dict.fromkeys(('ft_data_start_sched', 'ft_per_cpu_valid_start', 'p2_ft_compact_soft_start'),
                    'kernel events before the valid start are dropped, as specified, and not counted'),
    'ft_generic_v2': 'a generic kernel event without a row of ftrace_event, as specified',
}

SQL = '''
SELECT name, level, sum(value) FROM stats WHERE value != 0 GROUP BY 1, 2;
SELECT 'type ' || t.type, count(*) FROM (SELECT track_id FROM slice UNION ALL SELECT track_id FROM counter) e
JOIN __intrinsic_track t ON e.track_id = t.id GROUP BY 1;
SELECT 'slice', count(*) FROM slice UNION ALL SELECT 'counter', count(*) FROM counter
UNION ALL SELECT 'flow', count(*) FROM flow UNION ALL SELECT 'ftrace_event', count(*) FROM ftrace_event
UNION ALL SELECT 'unfinished', count(*) FROM json_unfinished_complete
UNION ALL SELECT 'unhandled', count(*) FROM json_unhandled_event
UNION ALL SELECT 'metadata', count(*) FROM json_metadata_event
UNION ALL SELECT 'thread_state', count(*) FROM thread_state
UNION ALL SELECT 'placed', coalesce(sum(placed), 0) FROM placement
UNION ALL SELECT 'unplaced', coalesce(sum(dropped_no_path + dropped_ambiguous + dropped_range), 0) FROM placement
UNION ALL SELECT 'clocks', count(DISTINCT trace_id) FROM placement;
SELECT trace_type FROM __intrinsic_trace_file ORDER BY id
'''


def run(*arguments, timeout=300):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, errors='replace',
                          timeout=timeout)


class Imported:
    """The rows and stats of one file."""

    def __init__(self, path):
        done = run('query', path, SQL, '--format', 'jsonl', '--no-progress')
        self.is_read = done.returncode == 0
        self.warnings = done.stderr
        self.rows, self.levels = event_counts.Counts(), {}
        self.stats = event_counts.Counts()
        self.formats = []  # of the file and of those inside
        if not self.is_read:
            return
        stats, types, tables, formats = [[json.loads(line) for line in part.splitlines()[1:]]
                                         for part in done.stdout.strip('\n').split('\n\n')]
        for name, level, value in stats:
            self.stats[name], self.levels[name] = value, level
        self.rows.update(types + tables)
        self.formats = [name for name, in formats]


def json_problems(path, got):
    """Returns one text for each count of a JSON trace that does not balance; None if it is no such trace."""
    try:
        loaded = json_counts.load(path)
    except EOFError:  # truncated
        return None
    if loaded is None:
        return None
    events = [event for event in loaded[0] if event]
    want = json_counts.count(*loaded)
    rows, stats = got.rows, got.stats
    phases = event_counts.Counts()
    for event in events:
        phase = event.get('ph')
        timed = json_counts.number(event.get('ts')) is not None
        if isinstance(phase, str) and phase and (timed or phase[0] == 'M'):
            phases[phase[0]] += 1
    open_ended = sum(event.get('ph', '')[:1] == 'X' and event.get('dur') is None and
                     json_counts.number(event.get('ts')) is not None
                     for event in events if isinstance(event.get('ph'), str))
    steps = want['steps']
    too_deep = stats['slice_max_depth_exceeded']
    restarts = stats['json_async_restart']
    lost_steps = stats['json_async_mixed_steps']
    async_ends = stats['json_async_end_without_begin']
    thread = rows['type thread_execution'] + rows['type thread_overlapping_slice']
    all_async = sum(count for name, count in rows.items() if name.startswith('type legacy_async_'))
    flows_v1 = phases['t'] + phases['f']
    flow_losses = sum(stats[name] for name in (
        'flow_end_without_start', 'flow_step_without_start', 'flow_no_enclosing_slice', 'flow_invalid_id'))
    has_bound_flows = any('bind_id' in event for event in events)
    # (what, least, most, got): the events of the file minus their losses. Stats that count several kinds of
    # events leave a range.
    checks = [
        ('slices of threads', want['thread'] - too_deep, want['thread'], thread),
        ('all slices', want['thread'] + want['process'] + want['global'] + want['async'] + want['old_async'] + steps
         - too_deep - restarts - lost_steps - async_ends,
         want['thread'] + want['process'] + want['global'] + want['async'] + want['old_async'] + steps
         - too_deep - restarts - lost_steps,
         thread + rows['type chrome_process_instant'] + rows['type legacy_chrome_global_instants'] + all_async),
        ('instants of processes', want['process'], want['process'], rows['type chrome_process_instant']),
        ('global instants', want['global'], want['global'], rows['type legacy_chrome_global_instants']),
        ('counter samples', want['counter'], want['counter'], rows['type json_counter']),
        ('unfinished', open_ended, open_ended, rows['unfinished']),
        ('metadata events', phases['M'], phases['M'], rows['metadata']),
        ('ends without begin', 0, phases['E'], stats['json_end_without_begin']),
    ]
    if not has_bound_flows:
        checks.append(('flows', flows_v1 - flow_losses, flows_v1, rows['flow']))
    return [f'{what}: {least} to {most} in the file, {count} rows' for what, least, most, count in checks
            if not least <= count <= most]


def text_problems(path, got):
    lines = event_counts.text_lines(event_counts.unpacked(path))
    lost = got.stats['systrace_parse_failure']
    kept = got.rows['ftrace_event']
    if lines == 0 or (kept == 0 and lost == 0):
        return None
    return [] if lines - lost <= kept <= lines else [f'{lines} lines, {kept} rows, {lost} lost']


def proto_problems(path, got):
    counts = event_counts.packets(event_counts.unpacked(path))
    if counts is None:
        return None
    stats, rows, problems = got.stats, got.rows, []
    kernel_losses = sum(stats[name] for name in (
        'ftrace_bundle_tokenizer_errors', 'ftrace_missing_event_id', 'ftrace_event_without_pid',
        'compact_sched_has_parse_errors', 'ftrace_packet_before_tracing_start'))
    kernel = counts['ftrace'] + counts['compact_switches'] + counts['compact_wakings']
    unplaced = sum(value for name, value in stats.items() if name.startswith('clock_sync_failure_'))
    skipped = sum(value for name, value in stats.items() if 'skipped' in name or 'incremental' in name)
    if not kernel - kernel_losses - unplaced - skipped <= rows['ftrace_event'] <= kernel:
        problems.append(f'{kernel} kernel events, {rows["ftrace_event"]} rows, {kernel_losses} lost')
    begins = counts['type_1'] + counts['type_3']
    lost = sum(value for name, value in stats.items() if name in LOST_EVENTS)
    if rows['slice'] + lost < begins:
        problems.append(f'{begins} slices of track events, {rows["slice"]} rows, {lost} lost')
    return problems


def format_problems(path, got):
    """Returns the problems of a profile or log; None if its format has no reader in format_counts."""
    reader = format_counts.READERS.get(got.formats[-1])
    if reader is None or len(got.formats) > 2:
        return None
    try:
        rows, lost = reader(event_counts.unpacked(path))
    except format_counts.Unknown as error:
        UNCOUNTED[path] = str(error)
        return None
    info = json.loads(run('info', '--json', path, '-q').stdout)
    found = [f'{table}: {count} in the file, {info["rows"].get(table, 0)} rows' for table, count in rows.items()
             if count != info['rows'].get(table, 0)]
    not_imported = sum(row['count'] for row in info['files'][-1]['not_imported'])
    for stat, count in lost.items():
        counted = not_imported if stat == 'not imported' else got.stats[stat]
        if counted != count:
            found.append(f'{stat}: {count} in the file, {counted} counted')
    found += [f'{stat}: {got.stats[stat]} counted, none in the file' for stat in got.stats
              if stat in LOST_EVENTS and not lost[stat]]
    return found


UNCOUNTED = {}  # by path: why the reader in Python does not count the file


def problems_of(path):
    """Returns the problems of a file, or None if it is not counted."""
    got = Imported(path)
    if not got.is_read:
        UNCOUNTED[path] = 'no trace'
        return None
    found = format_problems(path, got)
    if found is None:
        found = problems_by_name(path, got)
    if found is None:
        UNCOUNTED.setdefault(path, 'no reader of ' + (got.formats[-1] if got.formats else 'an empty trace'))
        return None
    UNCOUNTED.pop(path, None)
    for stat, level in got.levels.items():
        is_event = stat in LOST_EVENTS
        if is_event and level not in ('lost', 'unpaired'):
            found.append(f'{stat} has level {level}')
        if is_event and stat not in got.warnings and 'more kinds of problems' not in got.warnings:
            found.append(f'query does not warn of {stat}')
    return found


def problems_by_name(path, got):
    name = path.name
    kind = (json_problems if name.endswith(JSONS) else proto_problems if name.endswith(PROTOS) else
            text_problems if name.endswith(TEXTS) else None)
    return None if kind is None else kind(path, got)


def lost_events():
    """Returns the stats that count events on no row, from the generated page."""
    page = run('docs', 'stats').stdout
    section = page[page.index('\n## Lost events'):page.index('\n## Other losses')]
    assert '\n## Unpaired events' in section
    return set(re.findall(r'^\| `(\w+)`', section, re.M))


LOST_EVENTS = lost_events()


class Balance(unittest.TestCase):
    def balance(self, paths):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = dict(zip(paths, pool.map(problems_of, paths)))
        counted = [path for path in paths if found[path] is not None and path.parent.name not in UNBALANCED]
        troubles = [f'{path}: {text}' for path in counted for text in found[path]]
        why = collections.Counter(UNBALANCED.get(path.parent.name) or UNCOUNTED[path] for path in paths if path not in counted)
        print(f'{len(counted)} of {len(paths)} files counted; not counted are:')
        for reason, count in sorted(why.items()):
            names = [f'{path.parent.name}/{path.name}' for path in paths if UNCOUNTED.get(path) == reason]
            print(f'{count:6}  {reason}' + (f' ({", ".join(names[:5])}{", ..." if count > 5 else ""})' if names else ''))
        self.assertEqual(troubles, [])
        return len(counted)

    def test_vectors(self):
        paths = sorted(path for area in ('trace-event-format', 'ftrace-text', 'perfetto-proto', 'other-formats')
                       for path in (VECTORS / area).rglob('trace.*'))
        self.assertGreater(self.balance(paths), 550)

    def test_real_traces(self):
        if TRACES is None or not TRACES.exists():
            self.skipTest('no real traces')
        self.assertGreater(self.balance(sorted(path for path in TRACES.rglob('*') if path.is_file())), 50)


class Words(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='tracebraid-books-')
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, events, name='a.json'):
        path = self.folder / name
        path.write_text(events if isinstance(events, str) else json.dumps(events))
        return path

    def check(self, path, *options):
        done = run('check', '--json', path, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        return report['kept'], report['lost']

    def slices(self, count):
        return [{'ph': 'X', 'name': f's{i}', 'ts': 10 * i, 'dur': 5, 'pid': 1, 'tid': 1} for i in range(count)]

    def test_events_that_cannot_be_read(self):
        path = self.write(self.slices(5) + [{'ph': 'X', 'name': 'x', 'ts': 'soon', 'dur': 1}] * 3 +
                          [{'ph': 'b', 'name': 'no id', 'ts': 1, 'pid': 1}, {'ph': 'C', 'name': 'c', 'ts': 1, 'pid': 1}])
        self.assertEqual(self.check(path), (5, 5))
        self.assertIn('5 events placed, 5 lost', run('check', path).stdout)
        for command in (('query', path, 'SELECT 1'), ('export', path, '--to', 'json', '-o', self.folder / 'out.json'), ('info', path)):
            done = run(*command)
            self.assertIn('json_tokenizer_failure, 3 times', done.stdout + done.stderr, command)
            self.assertIn('json_event_incomplete, 2 times', done.stdout + done.stderr, command)
        self.assertEqual(run('query', '--strict', path, 'SELECT 1').returncode, 3)
        self.assertEqual(run('check', '--strict', path).returncode, 3)

    def test_events_that_are_dropped_later(self):
        flow = {'cat': 'f', 'name': 'f', 'id': 7, 'pid': 1, 'tid': 1}
        path = self.write(self.slices(2) + [{'ph': 's', 'ts': 7, **flow}, {'ph': 'f', 'ts': 12, **flow, 'id': 8},
                                            {'ph': 'E', 'name': 'late', 'ts': 13, 'pid': 1, 'tid': 1}])
        self.assertEqual(self.check(path), (2, 3))
        for command in (('query', path, 'SELECT 1'), ('export', path, '--to', 'json', '-o', self.folder / 'out.json'), ('info', path)):
            done = run(*command)
            for stat in ('flow_no_enclosing_slice', 'flow_end_without_start', 'json_end_without_begin'):
                self.assertIn(stat, done.stdout + done.stderr, command)
        self.assertEqual(run('query', '--strict', path, 'SELECT 1').returncode, 3)
        done = run('check', '--strict', path)
        self.assertEqual(done.returncode, 1)
        self.assertIn('2 events placed, 3 lost', done.stdout)

    def test_events_without_a_common_clock(self):
        braid = self.folder / 'a.braid'
        path = self.write(self.slices(2) + [{'ph': 'E', 'name': 'late', 'ts': 13, 'pid': 1, 'tid': 1}])
        self.assertEqual(run('merge', path, '-o', braid).returncode, 0)
        self.assertIn('json_end_without_begin', run('query', braid, 'SELECT 1').stderr)
        self.assertEqual(self.check(braid), (2, 1))

    def test_many_events_of_one_moment(self):
        path = self.write([{'ph': 'i', 'name': 'i', 'ts': 1, 'pid': 1, 'tid': 1}] * 600)
        self.assertIn('600 events placed, 0 lost', run('check', path).stdout)

    def test_slices_nested_too_deep(self):
        path = self.write([{'ph': 'B', 'name': 'b', 'ts': i, 'pid': 1, 'tid': 1} for i in range(515)])
        self.assertEqual(self.check(path), (512, 3))
        self.assertIn(f'{path}: slice_max_depth_exceeded, 3 times, first at trace time 512000 ns',
                      run('query', path, 'SELECT 1').stderr)

    def test_levels_of_strictness(self):
        noted = self.slices(1) + [{'ph': 'M', 'name': 'thread_name', 'pid': 1, 'tid': 1, 'args': {'name': ''}}]
        repaired = noted + [{'ph': 'X', 'name': 'open', 'ts': 90, 'pid': 1, 'tid': 1}]
        unpaired = repaired + [{'ph': 's', 'cat': 'f', 'name': 'f', 'id': 7, 'ts': 2, 'pid': 1, 'tid': 1},
                               {'ph': 'e', 'cat': 'c', 'name': 'c', 'id': 8, 'ts': 3, 'pid': 1, 'tid': 1}]
        lost = unpaired + [{'ph': 'E', 'name': 'late', 'ts': 99, 'pid': 1, 'tid': 1}]
        for events, strict, everything in ((noted, 0, 0), (repaired, 0, 3), (unpaired, 0, 3), (lost, 3, 3)):
            path = self.write(events)
            for command in (('query', path, 'SELECT 1'), ('info', path)):
                self.assertEqual(run(*command).returncode, 0)
                self.assertEqual(run(*command, '--strict').returncode, strict, command)
                self.assertEqual(run(*command, '--strict=all').returncode, everything, command)
            # The report of check is complete, unless a file could not be read completely.
            self.assertEqual(run('check', path, '--strict').returncode != 0, strict != 0)
            self.assertEqual(run('check', path, '--strict=all').returncode != 0, everything != 0)
        refused = run('query', '--strict=some', self.write(noted), 'SELECT 1')
        self.assertEqual(refused.returncode, 2, refused.stderr)

    def test_events_without_their_other_half(self):
        flow = {'cat': 'f', 'name': 'f', 'pid': 1, 'tid': 1}
        path = self.write(self.slices(2) + [{'ph': 's', 'ts': 2, 'id': 7, **flow}, {'ph': 'f', 'bp': 'e', 'ts': 3, 'id': 8, **flow},
                                            {'ph': 'e', 'cat': 'c', 'name': 'c', 'id': 8, 'ts': 4, 'pid': 1, 'tid': 1}])
        braid = self.folder / 'a.braid'
        self.assertEqual(run('export', path, '--to', 'braid', '-o', braid, '--strict').returncode, 0)
        for source in (path, braid):
            # Counted as lost and mentioned by every command; refused by --strict=all only.
            self.assertEqual(self.check(source), (2, 3))
            text = run('check', source, '--strict').stdout
            self.assertIn('2 events placed, 3 lost, of which 3 unpaired\n', text)
            self.assertIn('\nunpaired: the other half is not in the file\n', text)
            self.assertNotIn('\nlost\n', text)
            self.assertEqual(run('check', source, '--strict').returncode, 0)
            self.assertEqual(run('check', source, '--strict=all').returncode, 1)
            for command in (('query', source, 'SELECT 1'), ('info', source),
                            ('export', source, '--to', 'json', '-o', self.folder / 'out.json', '--force')):
                done = run(*command)
                self.assertEqual(done.returncode, 0, done.stderr)
                for stat in ('flow_start_without_end', 'flow_end_without_start', 'json_async_end_without_begin'):
                    self.assertIn(stat, done.stdout + done.stderr, command)
        levels = run('query', path, "SELECT DISTINCT level FROM stats WHERE name LIKE 'flow_%t_end' AND value", '-f', 'jsonl')
        self.assertEqual(levels.stdout.splitlines()[1:], ['["unpaired"]'])

    def test_many_kinds_of_repairs_pass(self):
        # Six kinds of repairs: the sixth is in "1 more kinds of problems", which is no loss either.
        events = self.slices(1) + [
            {'ph': 'X', 'ts': 1, 'dur': 1, 'pid': 1.5, 'tid': 1, 'name': 'a'},
            {'ph': 'X', 'ts': 3, 'dur': 1, 'pid': 1, 'tid': 1, 'name': ['a']},
            {'ph': 'X', 'ts': 5, 'dur': 1, 'pid': 1, 'tid': 1, 'name': 'a', 'args': {'x': float('nan')}},
            {'ph': 'i', 'ts': 6, 'pid': 1, 'tid': 1, 'name': 'a', 's': 'x'}]
        path = self.write('{"stackFrames":{"1":{"name":"f"}},"traceEvents":[' + ','.join(map(json.dumps, events)) +
                          ',{"ph":"X","ts":8,"ts":9,"dur":1,"pid":1,"tid":1,"name":"a"}'
                          ',{"ph":"X","ts":10,"dur":1,"pid":1,"tid":1,"name":"a","sf":1,"stack":["b"]}]}')
        braid = self.folder / 'a.braid'
        self.assertEqual(run('export', path, '--to', 'braid', '-o', braid).returncode, 0)
        for source in (path, braid):
            done = run('check', source, '--strict')
            self.assertIn('more kinds of problems', done.stderr)
            self.assertEqual((done.returncode, self.check(source)[1]), (0, 0), done.stdout + done.stderr)
            self.assertNotEqual(run('check', source, '--strict=all').returncode, 0)

    def test_check_explains_what_it_counts(self):
        path = self.write(self.slices(1) + [{'ph': 'B', 'name': 'open', 'ts': 20, 'pid': 1, 'tid': 1},
                                            {'ph': 'E', 'name': 'other', 'ts': 25, 'pid': 1, 'tid': 1}])
        text = ' '.join(run('check', path).stdout.split())
        self.assertIn('json_end_name_mismatch 1 in a.json, first at 25000 ns, event_name other, open_slice_name open',
                      text)
        for stat in ('json_end_name_mismatch', 'json_end_without_begin'):
            sentence = re.search(rf'`{stat}`.* \| (.*) \|', run('docs', 'stats').stdout).group(1)
            self.assertIn(sentence, text)
        self.assertEqual(self.check(path, '--lenient-ends')[1], 0)

    def test_metadata_is_kept_whole(self):
        text = 'x' * 200_000
        path = self.write({'otherData': {'log': text}, 'traceEvents': self.slices(1)})
        done = run('query', path, "SELECT length(str_value) AS n FROM metadata WHERE name = 'json_otherData.log'",
                   '--format', 'jsonl')
        self.assertEqual(done.stdout.splitlines()[1:], [f'[{len(text)}]'], done.stderr)
        self.assertEqual(run('query', '--strict=all', path, 'SELECT 1').returncode, 0)


if __name__ == '__main__':
    if len(sys.argv) > 1 and not sys.argv[1].startswith('-'):
        TRACES = pathlib.Path(sys.argv.pop(1))
    unittest.main()
