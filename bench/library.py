#!/usr/bin/env python3
"""Measures the Python package: import, opening, results as Arrow, Polars and pandas, threads, clocks; and, beside it, the
package perfetto, which decodes the same rows from `tracebraid serve --rpc`.

  bench/library.py                        5 M slices; writes the figures into bench/README.md
  bench/library.py --slices 200k --dry    a quick look; does not change bench/README.md
  bench/library.py --check                fails if a figure misses its limit

Each figure is measured in a process of its own, and the best of three runs counts. Seconds are CPU seconds of the process,
user and system, because other processes affect them little; --check compares them with the limits. Needs the packages of
scripts/python-env.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import zipfile

import run as bench

sys.path.insert(0, str(bench.ROOT / 'tests' / 'server'))
sys.path.insert(0, str(bench.ROOT / 'python'))
from client import Server  # noqa: E402

BEGIN, END = '<!-- library: written by bench/library.py -->', '<!-- end of library -->'
SCAN = 'SELECT id, ts, dur, name FROM slice'
JOIN = ('SELECT s.id, s.ts, s.dur, s.name, th.utid FROM slice AS s JOIN thread_track AS t ON t.id = s.track_id '
        'JOIN thread AS th USING (utid) WHERE s.dur >= 0')
# Statements over different tables of another trace.
TABLES = ['SELECT name, sum(dur) FROM slice GROUP BY name', 'SELECT utid, sum(dur) FROM sched GROUP BY utid',
          'SELECT state, sum(dur) FROM thread_state GROUP BY state', 'SELECT key, count(*) FROM args GROUP BY key',
          'SELECT name, count(*) FROM ftrace_event GROUP BY name']
# What a process does before it measures: `t` is the opened braid, and measure() prints [seconds, CPU seconds, bytes]
# of the best run: bytes by which the first run raised the peak of resident memory.
BEFORE = '''
import json, resource, sys, time
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
def measure(work, runs=3):
    results, before = [], peak()
    for i in range(runs):
        wall, cpu = time.perf_counter(), time.process_time()
        kept = work()
        results.append((time.perf_counter() - wall, time.process_time() - cpu))
        grown = peak() - before if i == 0 else grown
        del kept
    print(json.dumps([min(wall for wall, _ in results), min(cpu for _, cpu in results), grown]))
path, address, SCAN, JOIN, trace, many = sys.argv[1:7]
'''
OPENED = '''
import tracebraid as tb
t = tb.open(path)
'''
# Prints the longest time from a cancel at a random moment of a run to its end, in place of seconds and CPU seconds.
CANCEL = '''
import os, random, tempfile, threading
import tracebraid as tb, tracebraid._core as core
Cancelled = tb.Cancelled  # imports the exceptions, which the module of C raises
def longest(run, moments=50):
    begin = time.perf_counter()
    seconds = run(core.control_new(0)) or time.perf_counter() - begin
    late, random_ = [], random.Random(1)
    for _ in range(moments):
        control, at = core.control_new(0), []
        def cancel():
            at.append(time.perf_counter())
            core.control_cancel(control)
        timer = threading.Timer(random_.random() * seconds, cancel)
        timer.start()
        try:
            run(control)
        except Cancelled:
            late.append(time.perf_counter() - at[0])
        timer.join()
    print(json.dumps([max(late), max(late), 0]))
folder = tempfile.TemporaryDirectory()
made = os.path.join(folder.name, "made")
'''
ENDLESS = ('"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i + length(printf(\'%d\', i))) AS s FROM n"')
# Each thread begins with another table.
TABLES_OPENED = f'''
import threading
import tracebraid as tb
t, TABLES = tb.open(many), {TABLES!r}
def query(first):
    for i in range(8 * len(TABLES)):
        t.sql(TABLES[(first + i) % len(TABLES)]).fetchall()
'''
# Figure: (imports and preparation, what is measured).
CODE = {
    'arrow': ('import pyarrow' + OPENED, 'measure(lambda: t.sql(SCAN).to_arrow())'),
    'polars': ('import polars' + OPENED, 'measure(lambda: t.sql(SCAN).to_polars())'),
    'pandas': ('import pandas' + OPENED, 'measure(lambda: t.sql(SCAN).to_pandas())'),
    'join': ('import pyarrow' + OPENED, 'measure(lambda: t.sql(JOIN).to_arrow())'),
    'peer': ('import pandas\nfrom perfetto.trace_processor import TraceProcessor\nt = TraceProcessor(addr=address)\n',
             'measure(lambda: t.query(SCAN).as_pandas_dataframe(), 1)'),
    'first batch': ('import pyarrow' + OPENED,
                    'measure(lambda: t.sql("SELECT id, ts, dur, name FROM slice WHERE dur > 0").to_reader().read_next_batch())'),
    'first': (OPENED, 'measure(lambda: next(iter(t.sql("SELECT id, ts, dur, name FROM slice WHERE dur > 0"))))'),
    'braid': ('import tracebraid as tb\n', 'measure(lambda: tb.open(path).sql("SELECT count(*) FROM slice").scalar())'),
    'open': ('import tracebraid as tb\n', 'measure(lambda: tb.open(trace, progress=False), 1)'),
    'cancel open': (CANCEL, 'longest(lambda control: core.open([trace], [], None, control, None) and None)'),
    'cancel export': (CANCEL + 't = tb.open(path)\n',
                      'longest(lambda control: core.export(t._handle, [("to", "json"), ("output", made), ("force", "true")], control, None))'),
    'cancel merge': (CANCEL, """
def run(control):
    core.merge([trace], [], None, made, False, control, None)
    os.unlink(made)
longest(run)"""),
    'cancel query': (CANCEL + 't = tb.open(path)\n', f"""
def run(control):
    begun = core.query(t._handle, {ENDLESS}, [], [("types", "s=int64")], control)[1]
    core.stream_next(begun)
def first(control):
    return 1.0  # the statement has no end
longest(lambda control, runs=[]: run(control) if runs or runs.append(1) else first(control))"""),
    'clock': ('import numpy\n' + OPENED + 'values = numpy.arange(10_000_000, dtype="int64") + t.start\n',
              'measure(lambda: t.timeline.convert(values))'),
    'threads 1': ('import threading\n' + OPENED, '''
def work():
    for _ in range(4):
        t.sql("SELECT name, sum(dur) FROM slice GROUP BY name").fetchall()
measure(work)'''),
    'threads 8': ('import threading\n' + OPENED, '''
def query():
    for _ in range(4):
        t.sql("SELECT name, sum(dur) FROM slice GROUP BY name").fetchall()
def work():
    threads = [threading.Thread(target=query) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
measure(work)'''),
    'tables 1': (TABLES_OPENED, 'measure(lambda: query(0))'),
    'tables 8': (TABLES_OPENED, '''
def work():
    threads = [threading.Thread(target=query, args=(i,)) for i in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
measure(work)'''),
}


def package(build, folder):
    """Unpacks the wheel of the build. Returns the folder for PYTHONPATH."""
    import backend
    os.environ['TRACEBRAID_BUILD'] = str(build)
    with zipfile.ZipFile(folder / backend.build_wheel(folder)) as wheel:
        wheel.extractall(folder / 'package')
    (folder / 'package/tracebraid/bin/tracebraid').chmod(0o755)  # modes are not extracted
    return folder / 'package'


class Measures:
    """Runs the snippets of CODE."""

    def __init__(self, python, package_folder, braid, address, trace, many):
        self.python = python
        self.arguments = [str(braid), address, SCAN, JOIN, str(trace), str(many)]
        self.env = {**os.environ, 'PYTHONPATH': str(package_folder)}

    def of(self, name):
        """Returns seconds, CPU seconds and bytes."""
        before, measured = CODE[name]
        out = subprocess.run([self.python, '-c', BEFORE + before + textwrap.dedent(measured), *self.arguments],
                             env=self.env, check=True, stdout=subprocess.PIPE, text=True).stdout
        print(f'library: {name} {out.strip()}', file=sys.stderr)
        return json.loads(out.splitlines()[-1])

    def import_seconds(self):
        """Returns wall and CPU seconds that importing takes beyond those of Python's start."""
        def best(code):
            runs = [bench.run([self.python, '-c', code], env=self.env) for _ in range(15)]
            return min(run[0] for run in runs), min(run[2] for run in runs)
        (with_it, cpu), (without, cpu_without) = best('import tracebraid'), best('pass')
        return with_it - without, cpu - cpu_without


def rows_of(measures, slices, program):
    """Yields (what, seconds, CPU seconds, MB or None, limit in CPU seconds or None)."""
    share = slices / 5e6
    wall, cpu = measures.import_seconds()
    yield 'import tracebraid', wall, cpu, None, 0.040
    limits = {'arrow': 0.5, 'polars': 0.6, 'pandas': 1.2, 'join': 3.0}
    titles = {'arrow': 'slices to Arrow', 'polars': 'slices to Polars', 'pandas': 'slices to pandas',
              'join': 'slices with a join and WHERE to Arrow'}
    ours = 0
    for name, limit in limits.items():
        wall, cpu, grown = measures.of(name)
        ours = cpu if name == 'pandas' else ours
        yield titles[name], wall, cpu, grown / 1e6, limit * share
    wall, cpu, grown = measures.of('peer')
    yield f'perfetto: slices to pandas ({cpu / ours:.1f} times ours)', wall, cpu, grown / 1e6, None
    for name, title, limit in (('first batch', 'first batch of an unsorted scan', 0.020),
                               ('first', 'first row of an unsorted scan in Python', 0.020),
                               ('braid', 'open a braid and count', 0.040),
                               ('clock', 'convert 10 M times', 1.0)):
        wall, cpu, _ = measures.of(name)
        yield title, wall, cpu, None, limit
    wall, _, cpu, _ = min((bench.run([program, 'query', measures.arguments[4], 'SELECT 1', '--quiet'], stdout=subprocess.DEVNULL)
                           for _ in range(3)), key=lambda run: run[2])
    ours = min((measures.of('open') for _ in range(3)), key=lambda run: run[1])
    yield f'open the trace ({ours[1] / cpu:.2f} times the CPU of the program)', ours[0], ours[1], ours[2] / 1e6, cpu * 1.03
    for name, limit in (('query', 0.050), ('open', 0.100), ('export', 0.100), ('merge', 0.100)):
        wall, cpu, _ = measures.of(f'cancel {name}')
        yield f'cancel {name}, wall time of the longest of 50', wall, cpu, None, limit
    one, many = measures.of('threads 1'), measures.of('threads 8')
    gain = 8 * one[0] / many[0]
    yield f'8 threads, one trace ({gain:.2f} times the throughput of one)', many[0], many[1], None, None
    one, many = measures.of('tables 1'), measures.of('tables 8')
    gain = 8 * one[0] / many[0]
    # The wall time is judged, because threads that wait for each other take no CPU time.
    yield (f'8 threads, statements over 5 tables ({gain:.2f} times the throughput of one; at least 1.8)', many[0], many[0], None,
           8 * one[0] / 1.8)


def figures_of(rows, slices):
    table = [[what, f'{wall * 1000:.0f}', f'{cpu * 1000:.0f}', '' if limit is None else f'{limit * 1000:.0f}',
              '' if grown is None else f'{grown:.0f}'] for what, wall, cpu, grown, limit in rows]
    return (f'Machine: {bench.machine_name()}. {slices / 1e6:g} M slices, best of three runs.\n\n' +
            bench.table(['Python', 'ms', 'CPU ms', 'limit', 'memory, MB'], table))


def braid_of(build, slices, folder):
    """Returns a trace of track-event data with this number of slices, and its braid."""
    braid, trace = folder / f'library-{slices}.braid', folder / f'library-{slices}.pftrace'
    if not trace.exists() or not braid.exists() or braid.stat().st_mtime < (build / 'tracebraid').stat().st_mtime:
        subprocess.run([build / 'tracebraid-generate', 'timeline', trace, '--slices', str(slices)], check=True)
        subprocess.run([build / 'tracebraid', 'export', trace, '--to', 'braid', '-o', braid, '--quiet', '--force'], check=True)
    return trace, braid


def braid_of_many_tables(build, folder):
    """Returns a braid whose large tables are slice, args, sched, thread_state and ftrace_event."""
    traces, braid = [folder / 'library-events.pftrace', folder / 'library-sched.pftrace'], folder / 'library-tables.braid'
    if not braid.exists() or braid.stat().st_mtime < (build / 'tracebraid').stat().st_mtime:
        for kind, size, trace in zip(('track-event', 'sched'), ('30M', '10M'), traces, strict=True):
            subprocess.run([build / 'tracebraid-generate', kind, trace, '--size', size], check=True)
        subprocess.run([build / 'tracebraid', 'export', *traces, '--to', 'braid', '-o', braid, '--quiet', '--force'], check=True)
    return braid


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--build', type=pathlib.Path, default=bench.ROOT / 'build' / 'release')
    parser.add_argument('--python', help='a Python with the packages; by default that of scripts/python-env')
    parser.add_argument('--slices', type=lambda text: int(text.replace('M', '000000').replace('k', '000')), default='5M')
    parser.add_argument('--dry', action='store_true', help='do not write bench/README.md')
    parser.add_argument('--check', action='store_true', help='fail if a figure misses its limit')
    args = parser.parse_args()
    python = args.python or subprocess.check_output(
        [bench.ROOT / 'scripts' / 'python-env', '--path'], text=True).strip() + '/bin/python'
    folder = bench.ROOT / 'build' / 'bench'
    folder.mkdir(parents=True, exist_ok=True)
    trace, braid = braid_of(args.build, args.slices, folder)
    many = braid_of_many_tables(args.build, folder)
    with tempfile.TemporaryDirectory() as name:
        made = package(args.build, pathlib.Path(name))
        with Server('--rpc', '0', str(braid), spool=name, program=args.build / 'tracebraid') as server:
            server.wait_for_trace()
            rows = list(rows_of(Measures(python, made, braid, f'localhost:{server.rpc_port}', trace, many), args.slices,
                                args.build / 'tracebraid'))
    text = figures_of(rows, args.slices)
    print(text)
    if not args.dry:
        bench.write_between(BEGIN, END, text)
    missed = [what for what, _, cpu, _, limit in rows if limit is not None and cpu > limit]
    if missed:
        print(f'library: beyond the limit: {", ".join(missed)}', file=sys.stderr)
    sys.exit(bool(missed) and args.check)


if __name__ == '__main__':
    main()
