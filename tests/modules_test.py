#!/usr/bin/env python3
"""All modules of the standard library on an empty trace, the examples and real traces.

Each module is included, and each of its tables, views and functions is queried, the functions with NULL and with
plausible arguments. TRACEBRAID names the program. Real traces are read from ../shared/data/traces; those that are
absent are skipped and counted.
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
REAL = ['microsoft-perf-tools/androidBasicMemory.pftrace', 'microsoft-perf-tools/test_trace.perfetto-trace',
        'selfmade-multitool/chrome.pftrace.gz', 'systing/trace.pb', 'arm-lisa/trace.txt',
        'hta/trace_filter/sampled_rank-0.json.gz']
# Arguments that make sense, by name or else by type.
BY_NAME = {'ts': 'trace_start()', 'ts_a': 'trace_start()', 'ts_b': 'trace_start()', 'start_ts': 'trace_start()',
           'event_ts': 'trace_start()', 'end_ts': 'trace_end()', 'dur': 'trace_dur()', 'interval': '1000000000',
           'size': '1000000000', 'slice_id': '(SELECT min(id) FROM slice)', 'stack_hash': '0',
           'slice_a': '(SELECT min(id) FROM slice)', 'slice_b': '(SELECT max(id) FROM slice)'}
BY_TYPE = {'STRING': "'a b 1'", 'DOUBLE': '1.0'}


def query(*arguments):
    return subprocess.run([PROGRAM, 'query', '--format', 'json', *arguments], capture_output=True, text=True,
                          errors='replace', timeout=60)


def arguments_of(function, kind):
    if kind == 'null':
        return ', '.join('NULL' for _ in function)
    return ', '.join(BY_NAME.get(argument['name'], BY_TYPE.get(argument['type'], '1')) for argument in function)


def statements():
    """The statements that query all public objects, in the order of modules; each follows its INCLUDE."""
    printed = query('--no-trace', 'SELECT module, name, object_type, args, exposed '
                    'FROM __intrinsic_stdlib_objects ORDER BY module')
    if printed.returncode != 0:
        raise AssertionError(printed.stderr)
    made = []
    included = set()
    for row in json.loads(printed.stdout):
        module, name, kind = row['module'], row['name'], row['object_type']
        if module.startswith('prelude'):
            continue
        if module not in included:
            included.add(module)
            made.append(f'INCLUDE PERFETTO MODULE {module};')
        if not row['exposed']:
            continue
        if kind in ('TABLE', 'VIEW'):
            made.append(f'SELECT count(*) FROM (SELECT * FROM {name});')
        elif kind in ('FUNCTION', 'TABLE_FUNCTION'):
            function = json.loads(row['args'])
            for values in ('null', 'plausible') if function else ('null',):
                call = f'{name}({arguments_of(function, values)})'
                made.append(f'SELECT count(*) FROM {call};' if kind == 'TABLE_FUNCTION' else f'SELECT {call};')
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
        self.assertGreater(len(self.statements), 200)

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
