#!/usr/bin/env python3
"""All modules of the standard library on an empty trace, the examples and real traces.

Each module is included, and each of its tables, views, functions and macros is queried, also internal ones: functions
with NULL and with plausible arguments, macros on rows of the trace. TRACEBRAID names the program. Real traces are read
from ../shared/data/traces, every fourth if TRACEBRAID_SHORT is set; those that are absent are skipped and counted.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
ROOT = pathlib.Path(__file__).resolve().parent.parent
TRACES = ROOT.parent / 'shared/data/traces'
REAL = ['microsoft-perf-tools/androidBasicMemory.pftrace', 'microsoft-perf-tools/androidGpu.pftrace',
        'microsoft-perf-tools/chrome.pftrace', 'microsoft-perf-tools/test_trace.perfetto-trace',
        'microsoft-perf-tools/perfetto_trace_cpu_sampling_not_scoped.pftrace',
        'google-perfetto/93b86b70-5dd8-b046-b985-7b18ba34939a.pftrace.gz', 'catapult/android_systrace.txt',
        'catapult/multiple_input_latency.json', 'catapult/webview.json.gz', 'selfmade-multitool/chrome.pftrace.gz',
        'selfmade-multitool/chrome-headless-alone.json.gz', 'selfmade-multitool/chrome-headless-alone.pftrace.gz',
        'systing/trace.pb', 'arm-lisa/trace.txt', 'hta/trace_filter/sampled_rank-0.json.gz']
if os.environ.get('TRACEBRAID_SHORT'):
    REAL = REAL[::4]
# Arguments that make sense, by name or else by type.
BY_NAME = {'ts': 'trace_start()', 'ts_a': 'trace_start()', 'ts_b': 'trace_start()', 'start_ts': 'trace_start()',
           'event_ts': 'trace_start()', 'end_ts': 'trace_end()', 'dur': 'trace_dur()', 'interval': '1000000000',
           'size': '1000000000', 'slice_id': '(SELECT min(id) FROM slice)', 'stack_hash': '0',
           'id': '(SELECT min(id) FROM slice)', 'parent_id': '(SELECT min(id) FROM slice)',
           'slice_a': '(SELECT min(id) FROM slice)', 'slice_b': '(SELECT max(id) FROM slice)'}
BY_TYPE = {'STRING': "'a b 1'", 'DOUBLE': '1.0', 'BYTES': "x'00'"}
# Rows for the tables that macros take, with all columns that they read.
ROWS = '''CREATE TABLE macro_rows AS
SELECT
  s.id, s.ts, max(s.dur, 0) AS dur, s.parent_id, s.track_id, s.name, s.depth AS value, s.depth AS group_key, s.depth,
  s.id AS node_id, s.parent_id AS node_parent_id, s.ts AS sort_key, coalesce(s.parent_id, s.id) AS source_node_id,
  s.id AS dest_node_id, 1 AS edge_weight, s.id AS root_node_id, 5 AS root_target_weight, s.id AS root_id,
  s.ts AS root_ts, max(s.dur, 0) AS root_dur, 1 AS root_utid, t.utid, t.upid, 0 AS callsite_id, 1 AS count, 1 AS size,
  1 AS self_count, 1 AS self_size, 1 AS path_hash, NULL AS parent_path_hash, NULL AS idle_dur, NULL AS waker_id,
  s.ts + max(s.dur, 0) AS ts_end, 1 AS packet_count, 1 AS packet_length, 1 AS self_dur,
  'a' AS side, s.name AS process_key, s.name AS process, s.name AS thread, s.name AS path
FROM slice AS s
LEFT JOIN thread_track AS track ON track.id = s.track_id
LEFT JOIN thread AS t ON t.utid = track.utid
WHERE s.parent_id IS NOT NULL
LIMIT 60;'''
# The arguments of macros, by their types, and those of single macros.
MACRO_ARGUMENTS = {'TableOrSubquery': 'macro_rows', 'TableOrSubQuery': 'macro_rows', 'ColumnName': 'value',
                   'ColumnNameList': '(value)', '_TableNameList': '(macro_rows, macro_rows)', 'Expr': '1',
                   'ExprList': '(1, 2)'}
MACROS = {'_graph_scan': '(macro_rows, macro_rows, (value), (SELECT id, value FROM $table))',
          '_graph_aggregating_scan':
          '(macro_rows, macro_rows, (value), (SELECT id, sum(value) AS value FROM $table GROUP BY id))',
          'intervals_overlap_count': '(macro_rows, ts, dur)',
          'intervals_overlap_count_by_group': '(macro_rows, ts, dur, value)',
          '_interval_intersect_with_col_names':
          '(macro_rows, id, ts, dur, macro_rows, id, ts, dur, (value))',
          '_interval_rename_cols': '(macro_rows, (value), id, ts, dur)',
          '_interval_agg_with_col_names': '(macro_rows, (value), id, ts, dur)',
          '_intervals_flatten': '(_intervals_merge_root_and_children!(macro_rows, macro_rows))',
          '_binder_oom_score': '(client_upid, client_ts)',
          '_mipmap_dominant': '(macro_rows, _mipmap_buckets!(trace_start(), trace_start() + 1000, 100), (value))',
          '_mipmap_merged': '(macro_rows, _mipmap_buckets!(trace_start(), trace_start() + 1000, 100), (value))',
          '_tree_to_table': '(_tree_from_table!(macro_rows, (value)), (value))'}


def query(*arguments):
    return subprocess.run([PROGRAM, 'query', '--format', 'json', *arguments], capture_output=True, text=True,
                          errors='replace', timeout=300)


def arguments_of(function, kind):
    if kind == 'null':
        return ', '.join('NULL' for _ in function)
    return ', '.join(BY_NAME.get(argument['name'], BY_TYPE.get(argument['type'], '1')) for argument in function)


def macro_call(row):
    """A statement that uses a macro; None for those that give parts of statements."""
    name, arguments, result = row['name'], json.loads(row['args']), row['return_type']
    if result not in ('TableOrSubquery', 'TableOrSubQuery', 'Expr') or name.startswith(('__', '_ii_', '_graph_scan_')):
        return None
    call = MACROS.get(name, '(' + ', '.join(MACRO_ARGUMENTS[argument['type']] for argument in arguments) + ')')
    # Pointers are not results.
    return f'SELECT count(*) FROM {name}!{call};' if result != 'Expr' else f'SELECT {name}!{call} IS NULL;'


def statements():
    """The statements that query all objects, in the order of modules; each follows its INCLUDE."""
    printed = query('--no-trace', 'SELECT module, name, object_type, args, cols, return_type, exposed '
                    'FROM __intrinsic_stdlib_objects ORDER BY module')
    if printed.returncode != 0:
        raise AssertionError(printed.stderr)
    made = [ROWS]
    included = set()
    for row in json.loads(printed.stdout):
        module, name, kind = row['module'], row['name'], row['object_type']
        if module.startswith('prelude'):
            continue
        if module not in included:
            included.add(module)
            made.append(f'INCLUDE PERFETTO MODULE {module};')
        if kind in ('TABLE', 'VIEW'):
            made.append(f'SELECT count(*) FROM (SELECT * FROM {name});')
        elif kind in ('FUNCTION', 'TABLE_FUNCTION'):
            function = json.loads(row['args'])
            for values in ('null', 'plausible') if function else ('null',):
                call = f'{name}({arguments_of(function, values)})'
                made.append(f'SELECT count(*) FROM {call};' if kind == 'TABLE_FUNCTION' else f'SELECT {call};')
        elif kind == 'MACRO' and (call := macro_call(row)) is not None:
            made.append(call)
    return made


class Modules(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.statements = statements()
        cls.folder = tempfile.TemporaryDirectory()
        cls.script = pathlib.Path(cls.folder.name, 'all.sql')
        cls.script.write_text('\n'.join(cls.statements) + '\n')

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, *inputs):
        printed = query(*map(str, inputs), '--sql-file', str(self.script))
        self.assertEqual(printed.returncode, 0, printed.stderr[-2000:])
        self.assertGreater(len(printed.stdout), len(self.statements))

    def test_there_are_modules(self):
        self.assertGreater(sum(statement.startswith('INCLUDE') for statement in self.statements), 60)
        self.assertGreater(len(self.statements), 700)

    def test_without_trace(self):
        self.check('--no-trace')

    def test_examples(self):
        self.check(*(ROOT / 'examples' / name for name in ('phone.pftrace', 'watch.pftrace', 'app.json')),
                   '--manifest', ROOT / 'examples/manifest.json')

    def test_real_traces(self):
        absent = 0
        for name in REAL:
            with self.subTest(name):
                if not (TRACES / name).exists():
                    absent += 1
                    continue
                self.check(TRACES / name)
        if absent:
            print(f'skipped {absent} of {len(REAL)} real traces', file=sys.stderr)


if __name__ == '__main__':
    unittest.main()
