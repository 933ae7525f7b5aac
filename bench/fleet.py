#!/usr/bin/env python3
"""Measures fleets: one statement over 1,000 generated traces in worker processes, from a cache, on Spark, and from a lake; and,
beside them, one process that opens the traces one by one.

  bench/fleet.py                          1,000 traces of 1 MB; writes the figures into bench/README.md
  bench/fleet.py --traces 50 --dry        a quick look; does not change bench/README.md
  bench/fleet.py --size 5M                traces of 5 MB
  bench/fleet.py --check                  fails if a figure misses its limit

CPU seconds are those of a process and all processes that it started. Wall seconds depend on what else runs. Needs the packages of
scripts/python-env and of scripts/python-env --spark; without Java or pyspark, Spark is left out.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import run as bench
from library import package

BEGIN, END = '<!-- fleet: written by bench/fleet.py -->', '<!-- end of fleet -->'
SQL = 'SELECT name, count(*) AS n, sum(dur) AS total FROM slice GROUP BY name'
# Prints [wall seconds, CPU seconds of this process and all below it, peak of this process in bytes, rows].
BEFORE = '''
import json, os, resource, sys, time
folder, SQL, jobs, rest = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
def tree():
    ticks, parents = {}, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(name)], ticks[int(name)] = int(fields[1]), sum(map(int, fields[11:15]))
    def is_below(pid):
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()
    return sum(n for pid, n in ticks.items() if is_below(pid)) / os.sysconf("SC_CLK_TCK")
def measure(work):
    wall, cpu = time.perf_counter(), tree()
    rows = work()
    print(json.dumps([time.perf_counter() - wall, tree() - cpu, peak or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, rows]))
peak = 0  # of the parent, if it is another process
'''
FLEET = 'import tracebraid as tb\ndef rows(made): return sum(1 for _ in made.sql(SQL))\n'
SPARK = '''
os.environ["PYSPARK_PYTHON"] = sys.executable
from pyspark.sql import SparkSession
spark = (SparkSession.builder.master(rest[0]).config("spark.ui.enabled", False)
         .config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"]).getOrCreate())
spark.sparkContext.setLogLevel("OFF")
def rows(): return (spark.read.format("tracebraid").option("sql", SQL).option("partition_bytes", rest[1]).load(folder)
                    .selectExpr("count(*)").collect()[0][0])
rows()
measure(rows)
spark.stop()
'''
IMPORTS = ['pyarrow.parquet, pyarrow.compute, tracebraid._lake.lake, tracebraid._fleet.fleet', 'duckdb', 'pyspark.sql',
           'tracebraid.batch_trace_processor.api', 'perfetto.batch_trace_processor.api']
CODE = {
    'one': 'import glob\nimport tracebraid as tb\ndef work():\n    n = 0\n    for path in sorted(glob.glob(folder + "/*")):\n'
           '        with tb.open(path, threads=1, progress=False) as t:\n            n += sum(1 for _ in t.sql(SQL))\n'
           '    return n\nmeasure(work)',
    'fleet': FLEET + 'measure(lambda: rows(tb.fleet(folder, jobs=jobs, progress=False)))',
    # The peak is that of the parent, up to its last rows.
    'native': '''
import subprocess
def work():
    global peak
    lines, parent = 0, subprocess.Popen([rest[0], "fleet", folder, SQL, "--jobs", str(jobs), *rest[1:]], stdout=subprocess.PIPE)
    while block := parent.stdout.read1(1 << 16):
        lines += block.count(b"\\n")
        with open(f"/proc/{parent.pid}/status") as status:
            peak = max([peak, *(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))])
    assert parent.wait() == 0
    return lines - 1
measure(work)
''',
    'cache': FLEET + 'measure(lambda: rows(tb.fleet(folder, jobs=jobs, progress=False, cache_dir=rest[0], cache_size="1T")))',
    'lake': FLEET + 'measure(lambda: tb.fleet(folder, jobs=jobs, progress=False).write_lake(rest[0]))',
    'duckdb': 'import duckdb\nmeasure(lambda: len(duckdb.sql("SELECT _group, name, count(*), sum(dur) FROM '
              'read_parquet(\'" + rest[0] + "/slice/**/*.parquet\', union_by_name = true) GROUP BY ALL").fetchall()))',
    'spark': SPARK,
    'batch': 'import glob\nfrom tracebraid.batch_trace_processor.api import BatchTraceProcessor\ndef work():\n'
             '    with BatchTraceProcessor(sorted(glob.glob(folder + "/*"))[:50]) as batch:\n'
             '        return len(batch.query_and_flatten(SQL))\nmeasure(work)',
    'peer': 'import glob\nfrom perfetto.batch_trace_processor.api import BatchTraceProcessor, BatchTraceProcessorConfig\n'
            'from perfetto.trace_processor.api import TraceProcessorConfig\ndef work():\n'
            '    config = BatchTraceProcessorConfig(tp_config=TraceProcessorConfig(bin_path=rest[0]))\n'
            '    with BatchTraceProcessor(sorted(glob.glob(folder + "/*"))[:50], config=config) as batch:\n'
            '        return len(batch.query_and_flatten(SQL))\nmeasure(work)',
}


def traces_of(build, folder, count, size):
    """Generates traces, each with other events, unless they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        path = folder / f'{number:05}.pftrace'
        if not path.exists():
            part = folder.parent / 'trace.part'
            subprocess.run([build / 'tracebraid-generate', 'track-event', part, '--size', size, '--seed', str(number + 1)], check=True)
            part.rename(path)
    return folder


class Measures:
    """Runs the snippets of CODE."""

    def __init__(self, python, package_folder, packages, folder):
        self.python, self.folder = python, folder
        # Modules are compiled, as those that pip installed.
        self.env = {**os.environ, 'PYTHONPATH': os.pathsep.join(map(str, [package_folder, *packages])),
                    'PYTHONPYCACHEPREFIX': str(package_folder / 'pycache')}
        self.env.pop('PYTHONDONTWRITEBYTECODE', None)
        for modules in IMPORTS:
            subprocess.run([python, '-c', f'import {modules}'], env=self.env, stderr=subprocess.DEVNULL)

    def of(self, name, jobs=2, *rest):
        """Returns wall seconds, CPU seconds, peak bytes and rows."""
        out = subprocess.run([self.python, '-c', BEFORE + CODE[name], self.folder, SQL, str(jobs), *map(str, rest)], env=self.env,
                             check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout
        print(f'fleet: {name} {jobs} {out.strip()}', file=sys.stderr)
        return json.loads(out.splitlines()[-1])


def rows_of(measures, build, count, has_spark):
    """Yields (what, wall seconds, CPU seconds, peak MB, is within its limit or None, limit)."""
    def row(what, found, is_good=None, limit=''):
        return what, found[0], found[1], found[2] / 1e6, is_good, limit
    one = measures.of('one', 1)
    yield row('one process, one thread, one by one', one)
    two, single = measures.of('fleet', 2), measures.of('fleet', 1)
    assert one[3] == two[3] == single[3], 'all give the same number of rows'
    natives = [measures.of('native', jobs, build / 'tracebraid') for jobs in (2, 1)]
    assert natives[0][3] == natives[1][3] == one[3], 'the command gives the same rows'
    yield row('tb.fleet, 2 workers', two, two[1] <= 1.10 * one[1] and two[0] <= 0.6 * one[0] and two[2] <= 300e6,
              f'1.10 of the CPU (is {two[1] / one[1]:.2f}), 0.6 of the time (is {two[0] / one[0]:.2f}), 300 MB')
    yield row('tb.fleet, 1 worker', single, single[0] >= 1.8 * two[0], f'1.8 times 2 workers (is {single[0] / two[0]:.2f})')
    yield row('tracebraid fleet, 2 workers', natives[0], natives[0][1] <= 1.10 * one[1] and natives[0][0] <= 0.6 * one[0] and
              natives[0][2] <= 300e6,
              f'1.10 of the CPU (is {natives[0][1] / one[1]:.2f}), 0.6 of the time (is {natives[0][0] / one[0]:.2f}), 300 MB')
    yield row('tracebraid fleet, 1 worker', natives[1], natives[1][0] >= 1.8 * natives[0][0],
              f'1.8 times 2 workers (is {natives[1][0] / natives[0][0]:.2f})')
    with tempfile.TemporaryDirectory(dir=measures.folder.parent) as name:
        yield row('fleet that fills the cache', measures.of('cache', 2, name))
        cached = measures.of('cache', 2, name)
        yield row('fleet from the cache', cached, two[1] >= 10 * cached[1], f'a tenth of the CPU (is {cached[1] / two[1]:.3f})')
    with tempfile.TemporaryDirectory(dir=measures.folder.parent) as name:
        lake = measures.of('lake', 2, name)
        yield row('writing a lake of all tables', lake, lake[0] <= 2 * two[0], f'2 times the fleet (is {lake[0] / two[0]:.2f})')
        answer = measures.of('duckdb', 2, name)
        assert answer[3] == two[3], 'the lake has the same rows'
        yield row('the same statement on the lake by DuckDB', answer, answer[0] <= 1, '1 s')
    if has_spark:
        size = sum(path.stat().st_size for path in measures.folder.iterdir()) // 32
        local = measures.of('spark', 2, 'local[2]', size)
        yield row('Spark local[2], second action', local, local[0] <= 1.35 * two[0], f'1.35 of the fleet (is {local[0] / two[0]:.2f})')
        workers = [measures.of('spark', 2, f'local-cluster[{n},1,1024]', size) for n in (1, 2)]
        yield row('Spark, 1 worker', workers[0])
        yield row('Spark, 2 workers', workers[1], workers[0][0] >= 1.8 * workers[1][0],
                  f'1.8 times as fast as 1 (is {workers[0][0] / workers[1][0]:.2f})')
    yield row(f'BatchTraceProcessor of {min(count, 50)} traces', measures.of('batch'))
    yield row('perfetto: the same, with our program', measures.of('peer', 2, build / 'tracebraid'))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--build', type=pathlib.Path, default=bench.ROOT / 'build' / 'release')
    parser.add_argument('--traces', type=int, default=1000)
    parser.add_argument('--size', default='1M', help='of each trace')
    parser.add_argument('--dry', action='store_true', help='do not write bench/README.md')
    parser.add_argument('--no-spark', action='store_true', help='leave Spark out')
    parser.add_argument('--check', action='store_true', help='fail if a figure misses its limit')
    args = parser.parse_args()
    folder = traces_of(args.build, bench.ROOT / 'build' / 'bench' / f'fleet-{args.traces}-{args.size}', args.traces, args.size)

    def env(*which):
        return pathlib.Path(subprocess.check_output([bench.ROOT / 'scripts' / 'python-env', *which, '--path'], text=True).strip())
    sites = [*env().glob('lib/python*/site-packages'), *env('--spark').glob('lib/python*/site-packages')]
    has_spark = not args.no_spark and shutil.which('java') is not None and any((site / 'pyspark').exists() for site in sites)
    with tempfile.TemporaryDirectory() as name:
        made = package(args.build, pathlib.Path(name))
        rows = list(rows_of(Measures(env() / 'bin/python', made, sites, folder), args.build, args.traces, has_spark))
    total = sum(path.stat().st_size for path in folder.iterdir())
    table = [[what, f'{wall:.2f}', f'{cpu:.2f}', f'{peak:.0f}', limit, '' if good is None else 'yes' if good else 'no']
             for what, wall, cpu, peak, good, limit in rows]
    text = (f'Machine: {bench.machine_name()}. {args.traces:,} track-event traces, {total / 1e6:.0f} MB together.\n\n' +
            bench.table(['Fleet', 's', 'CPU s', 'peak of the parent, MB', 'limit', 'is within'], table))
    print(text)
    if not args.dry:
        bench.write_between(BEGIN, END, text)
    missed = [what for what, _, _, _, good, _ in rows if good is False]
    if missed:
        print(f'fleet: beyond the limit: {", ".join(missed)}', file=sys.stderr)
    sys.exit(bool(missed) and args.check)


if __name__ == '__main__':
    main()
