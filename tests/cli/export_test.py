#!/usr/bin/env python3
"""Exports: other programs open the files and read the same data.

TRACEBRAID names the program.
"""
import csv
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / 'examples'
VECTORS = pathlib.Path(os.environ['TRACEBRAID_VECTORS'])
MERGED = [str(EXAMPLES / name) for name in ('phone.pftrace', 'watch.pftrace', 'app.json')]
MERGED += ['--manifest', str(EXAMPLES / 'manifest.json')]


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120)


def rows(trace, sql):
    """Returns the rows of a query, as lists."""
    done = run('query', *trace, sql, '--format', 'jsonl')
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()[1:]]


class Export(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix='tracebraid-export-')
        self.addCleanup(shutil.rmtree, self.dir)

    def path(self, name):
        return os.path.join(self.dir, name)

    def export(self, *arguments, trace=MERGED):
        done = run('export', *trace, *arguments, '--force')
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_json_says_the_same_when_it_is_read_again(self):
        out = self.path('out.json')
        self.export('--to', 'json', '-o', out)
        slices = '''SELECT s.ts, s.dur, s.name, t.name FROM slice s JOIN thread_track k ON
                    s.track_id = k.id JOIN thread t USING (utid) {} ORDER BY 1, 2, 3, 4'''
        own = ("LEFT JOIN process p USING (upid) "
               "WHERE p.name IS NULL OR (p.name NOT LIKE 'CPUs of %' AND p.name NOT LIKE 'Tracks of %')")
        before, after = rows(MERGED, slices.format('')), rows([out], slices.format(own))
        self.assertEqual([(ts, name, thread) for ts, _, name, thread in before],
                         [(ts, name, thread) for ts, _, name, thread in after])
        # A begin without an end is closed with the slice around it.
        for was, is_now in zip(before, after):
            if was[1] >= 0:
                self.assertEqual(was, is_now)
        counters = 'SELECT ts, value FROM counter ORDER BY 1, 2'
        self.assertEqual(rows(MERGED, counters), rows([out], counters))
        count = 'SELECT count(*) FROM flow'
        self.assertEqual(rows(MERGED, count), rows([out], count))
        sched = '''SELECT s.ts, s.dur FROM slice s WHERE category = 'sched' ORDER BY 1, 2'''
        self.assertEqual(rows(MERGED, 'SELECT ts, dur FROM sched WHERE dur >= 0 ORDER BY 1, 2'),
                         [row for row in rows([out], sched) if row[1] >= 0])

    def test_messages_count_what_is_left_out_and_name_the_output(self):
        event = {'ph': 'X', 'ts': 1, 'dur': 10, 'name': 'a', 'cname': 'good', 'pid': 1, 'tid': 1}
        for events, colours in (([event], '1 colour of an event'),
                                ([event, {**event, 'ts': 20}], '2 colours of events')):
            trace = self.path('colours.json')
            pathlib.Path(trace).write_text(json.dumps(events))
            out = self.path('out.pftrace')
            lines = self.export('--to', 'perfetto', '-o', out, trace=[trace]).stderr.splitlines()
            self.assertIn(f'tracebraid: note: not exported: {colours}', lines)
            rows_text = '1 row' if len(events) == 1 else '2 rows'
            self.assertRegex(lines[-1], rf'^tracebraid: note: wrote {re.escape(out)}: {rows_text}, \d+ B, in [\d.]+ \w+$')
            os.remove(out)
        self.assertEqual(self.export('--to', 'json', '-q', '-o', self.path('out.json')).stderr.count('wrote'), 0)
        done = run('merge', trace, '-o', self.path('out.tar'))
        self.assertRegex(done.stderr, r'note: wrote .*out\.tar: 1 file, [\d.]+ kB, in [\d.]+ \w+\n$')

    def test_json_keeps_processes_of_one_pid_apart(self):
        out = self.path('out.json')
        self.export('--to', 'json', '-o', out)
        document = json.loads(pathlib.Path(out).read_text())
        renamed = document['otherData']['renamedPids']
        self.assertTrue(renamed)
        pids = {r['pid'] for r in renamed}
        self.assertFalse(pids & {p for p, in rows(MERGED, 'SELECT pid FROM process')})

    def test_json_keeps_nanoseconds_args_and_strange_names(self):
        trace = self.path('t.json')
        events = [{'ph': 'X', 'ts': 1234.567, 'dur': 0.001, 'pid': 1, 'tid': 2,
                   'name': 'a "quote" \\ \n \u0001 ü', 'cat': 'c',
                   'args': {'n': {'m': [1, {'x': 'y'}]}, 'big': 18446744073709551615, 'f': 0.5,
                            'yes': True, 'whole': 39.0, 'of': {'whole': -2.0, 'large': 1e22}}},
                  {'ph': 'X', 'ts': 1240, 'dur': 1, 'pid': 1, 'tid': 2, 'name': 'flat', 'args': {'whole': 7.0}},
                  {'ph': 'B', 'ts': 2000, 'pid': 1, 'tid': 2, 'name': 'open'}]
        pathlib.Path(trace).write_text(json.dumps(events))
        out = self.path('out.json')
        self.export('--to', 'json', '-o', out, trace=[trace])
        for sql in ('SELECT ts, dur, name, category FROM slice',
                    'SELECT flat_key, key, int_value, string_value, real_value FROM args '
                    'ORDER BY key'):
            self.assertEqual(rows([trace], sql), rows([out], sql))

    def test_json_has_or_counts_every_row(self):
        """The totals of events are those of the tables; a message counts the rows of every other table."""
        def input_of(area, name):
            return [str(next((VECTORS / area / name).glob('trace.*')))]
        path = self.path('colours.json')
        pathlib.Path(path).write_text(json.dumps([{'ph': 'X', 'ts': 1, 'dur': 1, 'pid': 1, 'tid': 1, 'name': 'a', 'cname': 'good'}]))
        traces = [MERGED, [path], input_of('trace-event-format', 'te_140_thread_states'), input_of('trace-event-format', 'sample_events'),
                  input_of('other-formats', 'perf_script'), input_of('perfetto-proto', 'heap_graph')]
        shown = ('process', 'thread', 'cpu', 'cpu_freq', 'gpu', 'args', 'args_full', 'track', 'slice', 'counter', 'flow', 'sched_slice', 'logs',
                 'profiler_sample', 'json_sample')
        # Provenance, and rows that belong to rows of other tables.
        others = ('trace_file', 'machine', 'metadata', 'stats', 'trace_import_logs', 'placement', 'heap_profile', 'heap_graph',
                  'heap_graph_class', 'heap_graph_reference', 'chrome_stack_sample_extras', 'profiler_session')
        parts = ('clock', 'source_clock', 'flow_', 'stack_profile_', 'profiler_task_', 'profiler_execution_', 'profiler_async_', 'json_trace_clock',
                 'json_clock_')
        counted = 0
        for trace in traces:
            out = self.path('totals.json')
            notes = self.export('--to', 'json', '-o', out, trace=trace).stderr
            document = json.loads(pathlib.Path(out).read_text())
            of = {'slice': 0, 'counter': 0, 'sched_slice': 0, 'logs': 0, 'flow': 0, 'thread_state': 0}
            for event in document['traceEvents']:
                table = {'sched': 'sched_slice', 'log': 'logs', 'flow': 'flow', 'thread_state': 'thread_state'}.get(event.get('cat'), 'slice')
                if event['ph'] in ('C', 's', 'X', 'B', 'i', 'b', 'n', 'T'):
                    of['counter' if event['ph'] == 'C' else table] += 1
            names = [name for name, in rows(trace, "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB '__intrinsic_*'")]
            sql = ' UNION ALL '.join(f"SELECT '{name}', count(*) FROM {name}" for name in names)
            for name, count in rows(trace, sql):
                table = name.removeprefix('__intrinsic_')
                words = {'flow': 'flows?', 'thread_state': 'thread states?'}.get(table)
                skipped = words and re.search(rf'not exported: (\d+) {words},', notes)
                if table in of:
                    self.assertEqual(of[table] + (int(skipped[1]) if skipped else 0), count, (trace, table))
                elif count and table not in shown + others and not table.startswith(parts):
                    self.assertRegex(notes, rf'not exported: {count} ', (trace, table))
                    counted += 1
            # A sample can be a row of both tables.
            tables = [count for name in ('profiler_sample', 'json_sample') for count, in rows(trace, f'SELECT count(*) FROM __intrinsic_{name}')]
            self.assertEqual(len(document.get('samples', [])), max(tables), trace)
        self.assertGreaterEqual(counted, 3)

    def test_json_keeps_thread_states_and_samples_with_their_callstacks(self):
        """Two machines with the same pids, tids and CPUs."""
        def file(name, machine):
            def state(name, ts, dur, **args):
                return {'ph': 'T', 'cat': 'thread_state', 'name': name, 'pid': 7, 'tid': 8, 'ts': ts, 'dur': dur, 'args': args}
            path = self.path(name)
            pathlib.Path(path).write_text(json.dumps({
                'traceEvents': [
                    {'ph': 'X', 'ts': 1, 'dur': 50, 'pid': 7, 'tid': 8, 'name': 'x', 'sf': '2', 'esf': '1'},
                    {'ph': 'b', 'ts': 2, 'id': 5, 'pid': 7, 'tid': 8, 'name': 'async', 'cat': 'c', 'sf': '1'},
                    {'ph': 'e', 'ts': 9, 'id': 5, 'pid': 7, 'tid': 8, 'name': 'async', 'cat': 'c', 'sf': '2'},
                    state('Running', 2, 3, cpu=1), state('D', 5, 4.001, io_wait=1, blocked_function=f'wait_{machine}'), state('S', 10, 1)],
                'stackFrames': {'1': {'name': 'main', 'category': 'lib ü', 'file': 'a.cc', 'line': 12},
                                '2': {'name': f'leaf_{machine}', 'category': 'lib ü', 'parent': '1', 'address': '0xffffffffff000010'}},
                'samples': [{'cpu': 1, 'tid': 8, 'ts': 3.5, 'name': 'cycles', 'sf': '2', 'weight': 2.5},
                            {'tid': 8, 'ts': 4, 'name': 'cycles', 'sf': '1', 'weight': 1},
                            {'tid': 8, 'ts': 4, 'name': 'no stack', 'weight': 3}]}))
            return path
        trace = [file('a.json', 'a'), file('b.json', 'b'), '--manifest', self.path('manifest.json')]
        pathlib.Path(trace[-1]).write_text(json.dumps({'perfetto_manifest': {'version': 1, 'files': [
            {'path': 'a.json', 'machine': {'name': 'one'}},
            {'path': 'b.json', 'machine': {'name': 'two'}, 'clocks': {'sync_to': {'file': 'a.json'}, 'offset_ns': 0}}]}}))
        stacks = '''WITH RECURSIVE up(leaf, id, text) AS (
            SELECT id, id, '' FROM stack_profile_callsite UNION ALL
            SELECT leaf, c.parent_id, text || '<' || f.name || ' ' || m.name || ' ' || f.rel_pc || ' ' || ifnull(y.source_file || y.line_number, '')
            FROM up JOIN stack_profile_callsite c ON c.id = up.id JOIN stack_profile_frame f ON f.id = c.frame_id
            JOIN stack_profile_mapping m ON m.id = f.mapping LEFT JOIN stack_profile_symbol y USING (symbol_set_id)),
            whole AS (SELECT leaf, text FROM up WHERE id IS NULL) '''
        states = '''SELECT ts, dur, state, io_wait, blocked_function, tid, t.name FROM thread_state s JOIN thread t USING (utid)
                    ORDER BY 1, 3, 5'''
        samples = stacks + '''SELECT s.ts, s.name, weight, tid, text FROM json_sample s JOIN thread t USING (utid)
                             LEFT JOIN whole ON leaf = callsite_id ORDER BY 1, 2, 5'''
        slices = stacks + '''SELECT s.ts, s.name, b.text, e.text FROM slice s JOIN __intrinsic_track_event_callstacks c ON c.slice_id = s.id
                            LEFT JOIN whole b ON b.leaf = callsite_id LEFT JOIN whole e ON e.leaf = end_callsite_id ORDER BY 1, 2, 3'''
        profile = stacks + '''SELECT s.ts, text FROM cpu_profile_stack_sample s JOIN whole ON leaf = callsite_id ORDER BY 1, 2'''
        out = self.path('out.json')
        notes = self.export('--to', 'json', '-o', out, trace=trace).stderr
        self.assertEqual(re.findall('not exported: (.*)', notes), ['2 ids of asynchronous slices'])
        for sql, least in ((states, 6), (samples, 6), (slices, 4), (profile, 4)):
            before = rows(trace, sql)
            self.assertGreaterEqual(len(before), least)
            self.assertEqual(before, rows([out], sql))
        self.assertEqual(rows([out], "SELECT name, value FROM stats WHERE value > 0 AND level <> 'noted'"), [])
        owners = '''SELECT DISTINCT ifnull(p.name, p.pid), {} FROM {} JOIN thread USING (utid) JOIN process p USING (upid) ORDER BY 2'''
        for column, table in (('blocked_function', 'thread_state'), ('s.ts', 'json_sample s')):
            processes = {row[0] for row in rows([out], owners.format(column, table))}
            self.assertEqual(len(processes), 2, table)
        # CPUs of the machine of the timeline only: CPU 1 of both machines would be one.
        cpus = 'SELECT cpu, count(*) FROM {} WHERE cpu IS NOT NULL GROUP BY 1'
        for table in ('thread_state', 'json_sample', 'sched'):
            self.assertEqual(rows([out], cpus.format(table)), [[1, 1]], table)

    def test_json_counts_states_without_an_end_and_samples_without_a_thread(self):
        trace = str(next((VECTORS / 'perfetto-proto' / 'generic_kernel_switch').glob('trace.*')))
        out = self.path('out.json')
        notes = self.export('--to', 'json', '-o', out, trace=[trace]).stderr
        open_states, = rows([trace], 'SELECT count(*) FROM thread_state WHERE dur < 0')[0]
        self.assertGreater(open_states, 0)
        self.assertRegex(notes, rf'not exported: {open_states} thread states?, because the format has no states without an end')
        # packet { timestamp: 1000 trusted_packet_sequence_id: 1 perf_sample { cpu: 0 pid: 5 } }
        trace = self.path('sample.pftrace')
        pathlib.Path(trace).write_bytes(bytes.fromhex('0a0c 40e807 5001 920404 0800 1005'))
        self.assertEqual(rows([trace], 'SELECT count(*) FROM __intrinsic_profiler_sample'), [[1]])
        notes = self.export('--to', 'json', '-o', out, trace=[trace]).stderr
        self.assertRegex(notes, 'not exported: 1 profiler sample, because the format has only samples of threads')

    def test_json_keeps_what_the_order_of_events_means(self):
        def event(ph, ts, name, **more):
            return {'ph': ph, 'pid': 1, 'tid': 1, 'ts': ts, 'name': name, **more}
        path, out = self.path('in.json'), self.path('out.json')
        pathlib.Path(path).write_text(json.dumps([
            # A child that begins with its parent, an arrow from each to each.
            event('X', 0, 'parent', dur=10), event('s', 0, 'x', id=1, cat='x'), event('X', 0, 'child', dur=5),
            event('X', 20, 'outer', dur=10), event('f', 20, 'x', id=1, cat='x', bp='e'), event('X', 20, 'inner', dur=10),
            # Instants beside each other and inside each other.
            event('X', 40, 'first', dur=0), event('B', 40, 'second'), event('E', 40, 'second'),
            event('X', 50, 'around', dur=5), event('i', 52, 'moment', s='t'),
            event('X', 56, 'known', dur=0, tts=3, tdur=0),
            event('X', 60, 'letters', dur=1, args={'a[0]': 1, 'b': 2})]))
        self.export('--to', 'json', '-o', out, trace=[path])
        for sql in ('SELECT ts, dur, name, depth, thread_ts, thread_dur FROM slice',
                    'SELECT flat_key, key, int_value FROM args WHERE int_value < 3',
                    """SELECT a.name, b.name FROM flow JOIN slice a ON a.id = slice_out
                    JOIN slice b ON b.id = slice_in""", 'SELECT pid, name FROM process', 'SELECT tid, name FROM thread'):
            self.assertTrue(rows([path], sql), sql)
            self.assertEqual(rows([out], sql), rows([path], sql), sql)

    def test_json_gives_a_pid_to_the_process_that_shows(self):
        # Every machine has an idle process 0; here the trace has a process 0 as well.
        path, out = self.path('in.json'), self.path('out.json')
        pathlib.Path(path).write_text(json.dumps([
            {'ph': 'M', 'pid': 0, 'name': 'process_name', 'args': {'name': 'python'}},
            {'ph': 'X', 'pid': 0, 'tid': 7, 'ts': 1, 'dur': 2, 'name': 'kernel'}]))
        self.export('--to', 'json', '-o', out, trace=[path])
        written = json.loads(pathlib.Path(out).read_text())
        self.assertEqual({event['pid'] for event in written['traceEvents']}, {0})
        self.assertEqual(written['otherData']['renamedPids'], [])

    def test_perfetto_writes_flows_in_the_order_of_their_rows(self):
        flow = {'pid': 1, 'name': 'f', 'cat': 'c'}
        events = [{'ph': 'X', 'ts': ts, 'dur': 5, 'pid': 1, 'tid': tid, 'name': 's'} for ts, tid in ((1, 1), (11, 2))]
        for number in (3, 9, 1, 7, 5, 8, 2, 6, 4):
            events += [{'ph': 's', 'ts': 2, 'tid': 1, 'id': number, **flow},
                       {'ph': 'f', 'bp': 'e', 'ts': 12, 'tid': 2, 'id': number, **flow}]
        trace, out, again = self.path('flows.json'), self.path('a.pftrace'), self.path('b.pftrace')
        pathlib.Path(trace).write_text(json.dumps(events))
        self.export('--to', 'perfetto', '-o', out, trace=[trace])
        self.export('--to', 'perfetto', '-o', again, trace=[trace])
        self.assertEqual(pathlib.Path(out).read_bytes(), pathlib.Path(again).read_bytes())
        sql = 'SELECT trace_id FROM flow ORDER BY id'
        self.assertEqual(len(rows([trace], sql)), 9)
        self.assertEqual(rows([trace], sql), rows([out], sql))

    def test_perfetto_keeps_slices_of_tracks_that_are_called_counters(self):
        for vector in ('ft_block_io', 'ft_signals_wakelock'):
            trace, out = [str(VECTORS / 'perfetto-proto' / vector / 'trace.pb')], self.path('out.pftrace')
            self.export('--to', 'perfetto', '-o', out, trace=trace)
            slices = 'SELECT s.ts, s.dur, s.name, t.name FROM slice s JOIN track t ON t.id = s.track_id ORDER BY 1, 2, 3'
            self.assertEqual(rows([out], slices), rows(trace, slices))

    def test_perfetto_restores_what_the_clocks_of_all_machines_showed(self):
        out = self.path('out.pftrace')
        self.export('--to', 'perfetto', '-o', out)
        sql = """
            WITH moment(ts) AS (SELECT trace_start() UNION ALL SELECT (trace_start() + trace_end()) / 2
                                UNION ALL SELECT trace_end()),
            clock AS (SELECT DISTINCT m.name AS machine, s.clock_name AS name FROM clock_snapshot s
                      JOIN machine m ON m.id = s.machine_id WHERE s.clock_name IN ('BOOTTIME', 'MONOTONIC', 'REALTIME'))
            SELECT c.machine, c.name, ts, clock_convert(ts, NULL, NULL, c.name, c.machine),
                   clock_error(ts, NULL, NULL, c.name, c.machine)
            FROM clock c, moment ORDER BY 1, 2, 3"""
        before, after = rows(MERGED, sql), rows([out], sql)
        self.assertEqual([row[:3] for row in before], [row[:3] for row in after])
        self.assertEqual(len(before), 2 * 3 * 3)
        for (*reader, want, _), (*_, got, bound) in zip(before, after):
            self.assertLessEqual(abs(got - want), bound, reader)
            self.assertLess(bound, 1_000_000, reader)

    def test_sqlite_has_every_table_and_its_references_hold(self):
        out = self.path('out.db')
        self.export('--to', 'sqlite', '-o', out)
        with sqlite3.connect(out) as db:
            self.assertEqual(db.execute('PRAGMA integrity_check').fetchall(), [('ok',)])
            self.assertEqual(db.execute('PRAGMA foreign_key_check').fetchall(), [])
            for table in ('slice', 'thread', 'process', 'sched', 'thread_state', 'args', 'counter',
                          'thread_track', 'counter_track', 'machine', 'placement', 'trace_bounds'):
                sql = f'SELECT * FROM {table}'
                self.assertEqual([list(row) for row in db.execute(sql)], rows(MERGED, sql), table)

    def test_args_full_is_written_where_it_differs(self):
        trace = self.path('trace.json')
        pathlib.Path(trace).write_text('[{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"a","args":{"n":null,"x":1}}]')
        for number, (given, differs) in enumerate((([trace], True), (MERGED, False))):
            folder, database = self.path(f'csv{number}'), self.path(f'{number}.db')
            self.export('--to', 'csv', '-o', folder, trace=given)
            self.assertEqual(pathlib.Path(folder, 'args_full.csv').exists(), differs)
            self.export('--to', 'sqlite', '-o', database, trace=given)
            sql = 'SELECT * FROM args_full'
            with sqlite3.connect(database) as db:
                self.assertEqual([list(row) for row in db.execute(sql)], rows(given, sql))
                kinds = dict(db.execute('SELECT name, type FROM sqlite_schema'))
            self.assertEqual(kinds['__intrinsic_args_full'], 'table' if differs else 'view')

    def test_text_tables(self):
        for kind in ('csv', 'tsv', 'jsonl'):
            folder = self.path(kind)
            self.export('--to', kind, '-o', folder)
            self.assertIn(f'slice.{kind}', os.listdir(folder))
        with open(os.path.join(self.path('csv'), 'slice.csv'), newline='') as f:
            self.assertEqual(len(list(csv.DictReader(f))), rows(MERGED, 'SELECT count(*) FROM slice')[0][0])

    def test_every_kind_has_the_rows_of_the_tables(self):
        totals = {}
        for kind in ('csv', 'tsv', 'jsonl'):
            folder = pathlib.Path(self.path(kind))
            self.export('--to', kind, '-o', str(folder))
            totals[kind] = {}
            for path in folder.glob(f'*.{kind}'):
                with open(path, newline='', encoding='utf-8') as f:
                    lines = list(csv.reader(f)) if kind == 'csv' else f.read().splitlines()
                totals[kind][path.stem] = len(lines) - 1
        self.export('--to', 'sqlite', '-o', self.path('db'))
        with sqlite3.connect(self.path('db')) as db:
            totals['sqlite'] = {name: db.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in totals['csv']}
        self.export('--to', 'braid', '-o', self.path('all.braid'))
        sql = ' UNION ALL '.join(f"SELECT '{name}', count(*) FROM \"{name}\"" for name in sorted(totals['csv']))
        counts = dict(rows(MERGED, sql))
        self.assertGreater(len(counts), 50)
        totals['braid'] = dict(rows([self.path('all.braid')], sql))
        for kind, found in totals.items():
            self.assertEqual(found, counts, kind)
        # Tables of events, of files that are imported again.
        for kind, tables in {'perfetto': ('slice', 'counter', 'sched', 'thread_state'), 'json': ('counter',)}.items():
            self.export('--to', kind, '-o', self.path(kind))
            for table in tables:
                count = f'SELECT count(*) FROM {table}'
                self.assertEqual(rows([self.path(kind)], count), rows(MERGED, count), (kind, table))

    def test_a_part(self):
        out = self.path('part.csv')
        start, = rows(MERGED, 'SELECT trace_start()')[0]
        self.export('--to', 'csv', '--table', 'slice', '-o', out, '--from', '100ms', '--to', '0.2s',
                    '--machine', 'watch')
        with open(out, newline='') as f:
            got = [int(row['id']) for row in csv.DictReader(f)]
        wanted = rows(MERGED, f'''SELECT s.id FROM slice s JOIN track t ON t.id = s.track_id
            JOIN machine m ON m.id = t.machine_id WHERE m.name = 'watch' AND s.ts < {start} + 200000000
            AND (s.ts >= {start} + 100000000 OR s.ts + s.dur > {start} + 100000000)
            ORDER BY s.id''')
        self.assertTrue(got)
        self.assertEqual(got, [i for i, in wanted])
        self.export('--to', 'jsonl', '--query', 'SELECT 1 AS one', '-o', out)
        self.assertEqual(pathlib.Path(out).read_text(), '["one"]\n[1]\n')

    def part(self, kind, *arguments, trace):
        """Returns (start, name) of the slices of a part, by trace time."""
        out = self.path(f'part.{kind}')
        table = ['--table', 'slice'] if kind in ('csv', 'tsv', 'jsonl') else []
        self.export('--to', kind, '-o', out, *table, *arguments, trace=trace)
        if kind in ('perfetto', 'json'):
            found = rows([out], 'SELECT ts, name FROM slice')
        elif kind == 'sqlite':
            with sqlite3.connect(out) as db:
                self.assertEqual(db.execute('PRAGMA foreign_key_check').fetchall(), [])
                found = db.execute('SELECT ts, name FROM slice').fetchall()
        elif kind == 'jsonl':
            head, *lines = [json.loads(line) for line in pathlib.Path(out).read_text().splitlines()]
            found = [(line[head.index('ts')], line[head.index('name')]) for line in lines]
        else:
            with open(out, newline='') as f:
                found = [(int(row['ts']), row['name'])
                         for row in csv.DictReader(f, delimiter='\t' if kind == 'tsv' else ',')]
        return sorted((ts, name) for ts, name in found)

    def small_trace(self):
        """Returns a trace of two processes: slices that cross windows, one that never ends, flows in and out of them."""
        def event(ph, pid, ts, name, **more):
            return {'ph': ph, 'pid': pid, 'tid': pid, 'ts': ts, 'name': name, **more}
        events = [event('M', pid, 0, 'process_name', args={'name': name}) for pid, name in ((1, 'one'), (2, 'two'))]
        events += [event('X', 1, 0, 'first', dur=10), event('X', 1, 100, 'crosses', dur=1000),
                   event('X', 1, 2000, 'within', dur=100), event('X', 1, 5000, 'after', dur=10),
                   event('B', 2, 50, 'open'), event('X', 2, 2050, 'other', dur=10)]
        for number, (start, end) in enumerate(((2010, 5005), (5, 2010), (2010, 2055))):
            events += [event('s', 1, start, 'arrow', id=number, cat='x'),
                       event('f', 2 if end == 2055 else 1, end, 'arrow', id=number, cat='x', bp='e')]
        path = self.path('small.json')
        pathlib.Path(path).write_text(json.dumps(events))
        return [path]

    def test_a_part_of_every_kind(self):
        trace = self.small_trace()
        window = ['--from', '@1000000', '--to', '@3000000']
        crosses, within, opened, other = ((100000, 'crosses'), (2000000, 'within'), (50000, 'open'), (2050000, 'other'))
        for kind in ('perfetto', 'json', 'sqlite', 'csv', 'tsv', 'jsonl'):
            self.assertEqual(self.part(kind, *window, trace=trace), sorted((crosses, within, opened, other)), kind)
            for two in ('two', '2'):
                self.assertEqual(self.part(kind, *window, '--process', two, trace=trace), [opened, other], kind)
            # One time in several notations: the end of the slice that overlaps the window.
            for moment in ('1.1ms', '1100us', '1100000ns', '1100000', '@1100000'):
                self.assertEqual(self.part(kind, '--from', moment, '--to', '2ms', trace=trace), [opened], (kind, moment))
            self.assertEqual(self.part(kind, '--from', '1099999ns', '--to', '2ms', trace=trace), [opened, crosses], kind)

    def test_arrows_of_a_part_have_both_ends(self):
        trace = self.small_trace()
        for kind in ('perfetto', 'json'):
            out = self.path('arrows')
            sql = 'SELECT a.name, b.name FROM flow JOIN slice a ON a.id = slice_out JOIN slice b ON b.id = slice_in'
            self.export('--to', kind, '-o', out, trace=trace)
            self.assertEqual(len(rows([out], sql)), 3, kind)
            self.export('--to', kind, '-o', out, '--from', '@1000000', '--to', '@3000000', trace=trace)
            self.assertEqual(rows([out], sql), [['within', 'other']], kind)
            lost = "SELECT name, value FROM stats WHERE name LIKE 'flow%' AND value > 0"
            self.assertEqual(rows([out], lost), [], kind)

    def test_a_window_by_the_wall_clock(self):
        first, = rows(MERGED, "SELECT min(abs_time_str(ts)) FROM slice")[0]
        start, second = rows(MERGED, f"""SELECT (SELECT min(ts) FROM slice),
            (SELECT min(ts) FROM slice WHERE ts > (SELECT min(ts) FROM slice))""")[0]
        for kind in ('perfetto', 'json', 'csv'):
            found = self.part(kind, '--from', first + 'Z', '--to', f'@{second}', trace=MERGED)
            self.assertIn(start, [ts for ts, _ in found], kind)
            self.assertLess(max(ts for ts, _ in found), second, kind)
            found = self.part(kind, '--from', first.replace('T', ' '), trace=MERGED)
            self.assertEqual(len(found), rows(MERGED, 'SELECT count(*) FROM slice')[0][0] if kind == 'csv' else len(found))

    def test_a_part_on_another_clock(self):
        # The window is in trace time; exported times are the machine's wall-clock time.
        low, high = rows(MERGED, 'SELECT min(ts), min(ts) + 200000000 FROM slice')[0]
        wanted = rows(MERGED, f"""SELECT clock_convert(s.ts, NULL, NULL, 'REALTIME', 'watch') FROM slice s
            JOIN track t ON t.id = s.track_id JOIN machine m ON m.id = t.machine_id WHERE m.name = 'watch'
            AND s.ts < {high} AND (s.ts >= {low} OR s.dur < 0 OR s.ts + s.dur > {low}) ORDER BY 1""")
        self.assertTrue(wanted)
        for kind in ('perfetto', 'csv', 'sqlite'):
            found = self.part(kind, '--from', f'@{low}', '--to', f'@{high}', '--machine', 'watch', '--clock', 'REALTIME',
                              trace=MERGED)
            self.assertEqual([[ts] for ts, _ in found], wanted, kind)

    def test_parts_that_make_no_sense(self):
        for kind in ('perfetto', 'json', 'braid'):
            for part in (['--table', 'slice'], ['--query', 'SELECT 1']):
                done = run('export', *MERGED, '--to', kind, *part, '-o', self.path('x'))
                self.assertEqual(done.returncode, 2, (kind, part))
                self.assertIn('csv', done.stderr + ' csv' * (kind == 'braid'))
        for part in (['--from', '1s'], ['--machine', 'watch'], ['--process', '1'], ['--clock', 'REALTIME']):
            done = run('export', *MERGED, '--to', 'braid', *part, '-o', self.path('x'))
            self.assertNotEqual(done.returncode, 0, part)
        self.assertEqual(os.listdir(self.dir), [])

    def test_mistakes(self):
        out = self.path('x')
        for arguments, code, says in (
                (['--to', 'jsn', '-o', out], 2, 'neither a kind'),
                (['-o', out], 2, 'missing --to'),
                (['--to', 'jsn', '-o', out], 2, 'parquet'),
                (['--to', 'json'], 2, 'missing -o'),
                (['--to', 'json', '-o', '-'], 2, 'tracebraid query'),
                (['--to', 'csv', '--table', 'slice', '--query', 'SELECT 1', '-o', out], 2, 'cannot be combined'),
                (['--to', 'csv', '--table', 'slise', '-o', out], 3, "no table 'slise'"),
                (['--to', 'csv', '--machine', 'fridge', '-o', out], 3, "no machine 'fridge'"),
                (['--to', 'csv', '--from', 'noon', '-o', out], 2, "'noon' is not a time"),
                (['--to', 'csv', '--from', '2s', '--to', '1s', '-o', out], 2, 'window is empty'),
                (['--to', 'csv', '--query', 'SELEC', '-o', out], 4, 'SELEC'),
                (['--to', 'json', '-o', self.path('no/folder/x')], 3, 'cannot write')):
            done = run('export', *MERGED, *arguments)
            self.assertEqual(done.returncode, code, (arguments, done.stderr))
            self.assertIn(says, done.stderr)
        self.assertEqual(os.listdir(self.dir), [])

    def test_times_on_another_clock(self):
        out = self.path('out.csv')
        for machine in (None, 'watch'):
            chosen = ['--machine', machine] if machine else []
            name = f"'{machine}'" if machine else 'NULL'
            self.export('--to', 'csv', '--table', 'slice', '--clock', 'REALTIME', *chosen, '-o', out)
            with open(out, newline='') as f:
                got = [(int(row['id']), int(row['ts']), row['ts_uncertainty_ns']) for row in csv.DictReader(f)]
            wanted = dict((i, (ts, '' if off is None else str(off))) for i, ts, off in rows(MERGED, f"""
                SELECT id, clock_convert(ts, NULL, NULL, 'REALTIME', {name}),
                clock_error(ts, NULL, NULL, 'REALTIME', {name}) FROM slice"""))
            self.assertTrue(got)
            for i, ts, off in got:
                self.assertEqual((ts, off), wanted[i])
        out = self.path('out.json')
        self.export('--to', 'json', '--clock', 'REALTIME', '-o', out)
        document = json.loads(pathlib.Path(out).read_text(), parse_float=str)
        self.assertIn('REALTIME', document['otherData']['clock'])
        first, = rows(MERGED, "SELECT min(clock_convert(ts, NULL, NULL, 'REALTIME', NULL)) FROM slice")[0]
        times = [str(e['ts']) for e in document['traceEvents'] if 'ts' in e and e['ph'] in 'XBib']
        whole, _, part = min(times, key=lambda t: (int(t.split('.')[0]), t)).partition('.')
        self.assertEqual(int(whole + part.ljust(3, '0')), first)
        out = self.path('out.pftrace')
        self.export('--to', 'perfetto', '--clock', 'REALTIME', '-o', out)
        self.assertEqual(rows([out], 'SELECT min(ts) FROM slice')[0][0], first)
        done = run('export', *MERGED, '--to', 'json', '--clock', 'SUNDIAL', '-o', self.path('x'))
        self.assertEqual(done.returncode, 2)
        self.assertIn("no clock named 'SUNDIAL'", done.stderr)

    def test_a_disk_that_gets_full_leaves_nothing(self):
        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        kinds = ['perfetto', 'braid', 'json', 'sqlite', 'csv', 'tsv', 'jsonl']
        probe = run('export', *MERGED, '--to', 'arrow', '--query', 'SELECT 1 AS one', '-o', '/dev/null')
        if 'pyarrow' not in probe.stderr:
            kinds += ['parquet', 'arrow']
        for kind in kinds:
            out = self.path('out')
            done = subprocess.run([PROGRAM, 'export', *MERGED, '--to', kind, '-o', out], capture_output=True,
                                  text=True, timeout=120, preexec_fn=small_files)
            self.assertEqual(done.returncode, 3, (kind, done.stderr))
            self.assertIn('cannot write', done.stderr)
            left = os.listdir(out) if os.path.isdir(out) else os.listdir(self.dir)
            self.assertEqual(left, [], kind)
            shutil.rmtree(out, ignore_errors=True)

    def test_a_full_disk_leaves_nothing(self):
        done = run('export', *MERGED, '--to', 'json', '-o', '/dev/full')
        self.assertEqual(done.returncode, 3)
        self.assertIn('No space left', done.stderr)


if __name__ == '__main__':
    unittest.main()
