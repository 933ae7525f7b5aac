#!/usr/bin/env python3
"""Measures tracebraid on generated traces and writes the figures into bench/README.md.

  scripts/bench                    300 MB of each kind, three runs each, the best counts
  scripts/bench --size 20M --dry   a quick look; does not change bench/README.md

Times depend on the machine, so the README names it and gives the time of `wc -l` on the
same bytes, measured in the same run, for comparison. Requires the standard library only.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from archives import ARCHIVES, generate

ROOT = pathlib.Path(__file__).resolve().parent.parent
README = ROOT / 'bench' / 'README.md'
BEGIN, END = '<!-- figures: written by bench/run.py -->', '<!-- end of figures -->'

KINDS = ['chrome-json', 'kineto-json', 'track-event', 'sched', 'systrace']
EXPORTED = ['chrome-json', 'track-event']  # the tables of sched have about 5 GB
EXPORT_KINDS = ['perfetto', 'json', 'arrow', 'parquet', 'braid']
# Every placed event of a file is counted here.
EVENTS = 'SELECT sum(placed) FROM __intrinsic_placement'
QUERIES = [
    ('count all slices', 'SELECT count(*) FROM slice'),
    ('group slices by name', 'SELECT name, count(*), sum(dur) FROM slice GROUP BY name'),
    ('longest ten', 'SELECT * FROM slice ORDER BY dur DESC LIMIT 10'),
    ('a window of 1 ms',
     'SELECT count(*) FROM slice WHERE ts BETWEEN trace_start() + 500000 AND trace_start() + 1500000'),
    ('join slice, track, thread',
     'SELECT thread.name, count(*) FROM slice JOIN thread_track ON slice.track_id = thread_track.id '
     'JOIN thread USING (utid) GROUP BY thread.name'),
    ('parent of every slice',
     'SELECT count(*) FROM slice JOIN slice AS parent ON slice.parent_id = parent.id'),
    ('one arg of every slice',
     "SELECT count(extract_arg(arg_set_id, 'debug.bytes')) FROM slice"),
    ('time on CPU by thread', 'SELECT utid, sum(dur) FROM sched GROUP BY utid'),
    ('longest ten on a CPU', 'SELECT * FROM sched ORDER BY dur DESC LIMIT 10'),
    ('thread states by process',
     'SELECT process.name, sum(thread_state.dur) FROM thread_state JOIN thread USING (utid) '
     'JOIN process USING (upid) GROUP BY process.name'),
]


def size_in_bytes(text):
    number, unit = re.fullmatch(r'(\d+)([KMG]?)', text).groups()
    return int(number) * 1000 ** ' KMG'.index(unit or ' ')


def run(command, **options):
    """Runs a command. Returns (seconds, peak resident bytes, CPU seconds, exit status)."""
    start = time.perf_counter()
    process = subprocess.Popen(command, **options)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    return seconds, usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime, process.returncode


def best_run(command, repeat):
    """Returns the fastest run with the highest peak of all runs; None if the command fails."""
    runs = []
    for _ in range(repeat):
        runs.append(run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        if runs[-1][3] != 0:
            return None
    return min(runs)[0], max(peak for _, peak, _, _ in runs)


def input_file(generator, kind, size, folder):
    """Returns the generated file; writes it again if the generator is newer."""
    path = folder / f'{kind}-{size}'
    if not path.exists() or path.stat().st_mtime < generator.stat().st_mtime:
        part = path.with_suffix('.part')  # an interrupted file is not mistaken for a complete one
        if kind in ARCHIVES:
            ARCHIVES[kind](generator, part, size)
        else:
            generate(generator, kind, part, size)
        part.rename(path)
    return path


def event_count(tracebraid, path):
    out = subprocess.run([tracebraid, 'query', path, EVENTS, '--format', 'csv', '--quiet'],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    return int(out.stdout.split()[1])


def measure_import(tracebraid, path, size, repeat):
    """Returns one row of figures, or None if the file cannot be read. `size`: its uncompressed bytes."""
    query = [tracebraid, 'query', path, 'SELECT 1;', '--quiet']
    cores = os.cpu_count()
    all_cores = best_run(query + ['--threads', str(cores)], repeat)
    if all_cores is None:
        return None
    one_core = best_run(query + ['--threads', '1'], repeat)
    wc = best_run(['wc', '-l', path], repeat)
    events = event_count(tracebraid, path)
    seconds, peak = all_cores
    return {'size': size, 'events': events, 'seconds': seconds, 'peak': peak / size,
            'one': one_core[0], 'wc': wc[0]}


UNITS = {'s': 1e3, 'ms': 1.0, 'us': 1e-3, 'ns': 1e-6}
STAGES = ['open', 'read', 'locate', 'place and sort', 'build']


def measure_stages(tracebraid, path):
    """Returns milliseconds of each stage with all cores, and with one."""
    times = []
    for threads in (os.cpu_count(), 1):
        command = [tracebraid, 'query', path, 'SELECT 1;', '--quiet', '--timing', '--threads', str(threads)]
        notes = subprocess.run(command, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               check=True).stderr
        times.append({stage: float(number) * UNITS[unit]
                      for stage, number, unit in
                      re.findall(r'note: ([a-z ]+) took ([\d.]+) (s|ms|us|ns)$', notes, re.M)})
    return times


def measure_queries(tracebraid, path):
    """Returns milliseconds of each query, the best of three runs in one shell."""
    script = '.timer on\n.mode jsonl\n' + ''.join((sql + ';\n') * 3 for _, sql in QUERIES)
    out = subprocess.run([tracebraid, 'shell', path, '--quiet'], input=script, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True).stdout
    times = [float(number) * UNITS[unit]
             for number, unit in re.findall(r'^\(\d+ rows?, ([\d.]+) (s|ms|us|ns)\)$', out, re.M)]
    if len(times) != 3 * len(QUERIES):
        sys.exit(f'bench: the shell timed {len(times)} queries, not {3 * len(QUERIES)}:\n{out[-2000:]}')
    return [min(times[i:i + 3]) for i in range(0, len(times), 3)]


def peak_of_own_memory(command):
    """Returns seconds, and the largest private memory: mapped files do not count."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        try:
            status = pathlib.Path(f'/proc/{process.pid}/status').read_text()
        except OSError:
            break
        peak = max([peak] + [int(kilobytes) for kilobytes in re.findall(r'RssAnon:\s*(\d+)', status)])
        time.sleep(0.005)
    process.wait()
    if process.returncode != 0:
        sys.exit(f'bench: {command} failed')
    return time.perf_counter() - start, peak * 1024


def size_of(path):
    return sum(file.stat().st_size for file in path.rglob('*')) if path.is_dir() else path.stat().st_size


def remove(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def measure_braid(tracebraid, path, repeat):
    """Returns the braid of the input, and the seconds for opening it and running a trivial statement."""
    braid = path.with_suffix('.braid')
    subprocess.run([tracebraid, 'export', path, '--to', 'braid', '-o', braid, '--quiet', '--force'], check=True)
    opened = best_run([tracebraid, 'query', braid, 'SELECT 1;', '--quiet'], repeat)
    return braid, opened[0]


def measure_exports(tracebraid, braid, repeat):
    """Returns for each kind: (bytes written, seconds, growth of memory, bytes of table data)."""
    results, out = {}, braid.with_suffix('.out')
    _, before = peak_of_own_memory([tracebraid, 'check', braid])
    for kind in EXPORT_KINDS:
        runs = []
        for _ in range(repeat):
            remove(out)
            runs.append(peak_of_own_memory([tracebraid, 'export', braid, '--to', kind, '-o', out, '--quiet', '--force']))
        results[kind] = (size_of(out), min(runs)[0], max(max(peak for _, peak in runs) - before, 0))
        remove(out)
    data = results['arrow'][0]  # the table data, unchanged
    return {kind: (*result, data) for kind, result in results.items()}


def export_table(exports):
    rows = []
    for name, kinds in exports.items():
        for kind, (written, seconds, growth, data) in kinds.items():
            rows.append([f'{name}, {kind}', f'{written / 1e6:.0f}', f'{data / 1e6:.0f}', f'{seconds:.2f}',
                         f'{written / seconds / 1e6:.0f}', f'{data / seconds / 1e6:.0f}', f'{growth / 1e6:.0f}'])
    return table(['Export of a braid', 'MB written', 'MB of table data', 's', 'MB/s written', 'MB/s of table data',
                  'memory, MB'], rows)


def open_table(opened):
    rows = [[kind, f'{size / 1e6:.0f}', f'{seconds * 1e3:.0f}'] for kind, (size, seconds) in opened.items()]
    return table(['Braid of', 'MB', 'ms to open and answer'], rows)


def machine_name():
    cpu = re.search(r'^model name\s*: (.*)$', pathlib.Path('/proc/cpuinfo').read_text(), re.M)
    memory = int(re.search(r'MemTotal:\s*(\d+)', pathlib.Path('/proc/meminfo').read_text())[1])
    return (f'{cpu[1].strip() if cpu else os.uname().machine}, {os.cpu_count()} cores, '
            f'{memory / 1e6:.0f} GB, Linux {os.uname().release.split("-")[0]}')


def table(head, rows):
    lines = ['| ' + ' | '.join(head) + ' |', '|---' + '|---:' * (len(head) - 1) + '|']
    return '\n'.join(lines + ['| ' + ' | '.join(row) + ' |' for row in rows])


def import_table(results):
    rows = []
    for kind, r in results.items():
        rows.append([kind, f'{r["size"] / 1e6:.0f}', f'{r["events"] / 1e6:.2f}', f'{r["seconds"]:.2f}',
                     f'{r["size"] / r["seconds"] / 1e6:.0f}', f'{r["events"] / r["seconds"] / 1e6:.2f}',
                     f'{r["peak"]:.2f}', f'{r["one"] / r["seconds"]:.2f}', f'{r["seconds"] / r["wc"]:.1f}'])
    return table(['Input', 'MB', 'M events', 's', 'MB/s', 'M events/s', 'peak memory / input',
                  'one thread / all cores', 'time / `wc -l`'], rows)


def stage_table(times):
    rows = []
    for kind, (all_cores, one_core) in times.items():
        rows.append([kind] + [f'{all_cores.get(stage, 0):.0f} / {one_core.get(stage, 0):.0f}'
                              for stage in STAGES])
    return table(['Stage, ms with all cores / with one'] + STAGES, rows)


def query_table(times):
    kinds = list(times)
    rows = [[name] + [f'{times[kind][i]:.2f}' for kind in kinds] for i, (name, _) in enumerate(QUERIES)]
    return table(['Query, ms'] + kinds, rows)


def write_between(begin, end, figures):
    """Replaces the text of bench/README.md between two marks."""
    text = README.read_text()
    before, rest = text.split(begin)
    after = rest.split(end)[1]
    README.write_text(f'{before}{begin}\n{figures}\n{end}{after}')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build' / 'release')
    parser.add_argument('--size', type=size_in_bytes, default='300M')
    parser.add_argument('--repeat', type=int, default=3)
    parser.add_argument('--kind', action='append', choices=KINDS, help='only this one; may be repeated')
    parser.add_argument('--dry', action='store_true', help='do not write bench/README.md')
    args = parser.parse_args()
    folder = ROOT / 'build' / 'bench'
    folder.mkdir(parents=True, exist_ok=True)
    tracebraid = args.build / 'tracebraid'

    imports, stages, queries, opened, exports = {}, {}, {}, {}, {}
    for kind in [] if args.kind else ARCHIVES:
        path = input_file(args.build / 'tracebraid-generate', kind, args.size, folder)
        imports[kind] = measure_import(tracebraid, path, args.size, args.repeat)
        stages[kind] = measure_stages(tracebraid, path)
    for kind in args.kind or KINDS:
        path = input_file(args.build / 'tracebraid-generate', kind, args.size, folder)
        result = measure_import(tracebraid, path, path.stat().st_size, args.repeat)
        if result is None:
            print(f'bench: {kind} is not read yet; skipped', file=sys.stderr)
            continue
        imports[kind] = result
        stages[kind] = measure_stages(tracebraid, path)
        queries[kind] = measure_queries(tracebraid, path)
        braid, seconds = measure_braid(tracebraid, path, args.repeat)
        opened[kind] = (braid.stat().st_size, seconds)
        if kind in EXPORTED:
            exports[kind] = measure_exports(tracebraid, braid, args.repeat)
        braid.unlink()
        print(f'bench: {kind} done', file=sys.stderr)

    figures = (f'Machine: {machine_name()}. Best of {args.repeat} runs, files in the page cache, '
               f'release build, all cores.\n\n{import_table(imports)}\n\n{stage_table(stages)}\n\n'
               f'{query_table(queries)}\n\n{open_table(opened)}')
    if exports:
        figures += f'\n\n{export_table(exports)}'
    print(figures)
    if not args.dry:
        write_between(BEGIN, END, figures)


if __name__ == '__main__':
    main()
