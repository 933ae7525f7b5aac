#!/usr/bin/env python3
"""Recordings of one machine by many tools with different clocks, merged without a manifest:
each task switch must have one time, within the reported bounds.

  multitool_test.py TRACEBRAID TRACES

TRACES/selfmade-multitool has the recordings; its README describes them. This test finds the
switches in the text itself, independently of the program.
"""
import csv
import gzip
import json
import pathlib
import re
import subprocess
import sys

FILES = ['ftrace_boot.txt.gz', 'ftrace_mono_raw.txt.gz', 'ftrace_x86-tsc.txt.gz',
         'perf_script_mono.txt.gz', 'perf_mono.data.gz', 'chrome.pftrace.gz',
         'nodeA_13317_1.json.gz', 'nodeB_13320_1.json.gz', 'node_strace.txt.gz']
TEXTS = FILES[:3]
IN_A_ROW = 10
SWITCH = re.compile(r'\[(\d+)\] \S+ +([\d.]+): sched_switch: .*prev_pid=(\d+) .*next_pid=(\d+) ')

failures = []


def check(condition, text):
    if not condition:
        failures.append(text)
        print('FAIL', text)


def query(program, folder, sql):
    done = subprocess.run([program, 'query', *(str(folder / name) for name in FILES), sql,
                           '--format', 'jsonl', '--quiet'],
                          capture_output=True, text=True, timeout=600, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line]
    return [dict(zip(lines[0], row)) for row in lines[1:]]


def reading_of(text):
    """Returns ns, or ticks of a clock without a decimal point."""
    if '.' not in text:
        return int(text)
    seconds, fraction = text.split('.')
    return int(seconds) * 10**9 + int(fraction.ljust(9, '0'))


def moments(path):
    """Returns {(CPU, consecutive tasks): reading}, for those that occurred once."""
    rows, found = {}, {}
    with gzip.open(path, 'rt', errors='replace') as file:
        for line in file:
            if match := SWITCH.search(line):
                cpu, time, before, after = match.groups()
                row = rows.setdefault(cpu, [])
                row.append((before, after))
                del row[:-IN_A_ROW]
                if len(row) == IN_A_ROW:
                    found.setdefault((cpu, *row), []).append(reading_of(time))
    return {what: times[0] for what, times in found.items() if len(times) == 1}


def placed(reading, row):
    """Returns trace time, by the offsets at the first and the last event."""
    first = row['first_ts'] - row['offset_start_ns']
    last = row['last_ts'] - row['offset_end_ns']
    share = (reading - first) / (last - first)
    return reading + row['offset_start_ns'] + round(
        share * (row['offset_end_ns'] - row['offset_start_ns']))


def compare(a, b, rows, folder):
    seen_a, seen_b = moments(folder / a), moments(folder / b)
    both = seen_a.keys() & seen_b.keys()
    check(len(both) > 5000, f'{a} and {b}: only {len(both)} moments in both')
    bound = rows[a]['uncertainty_ns'] + rows[b]['uncertainty_ns']
    apart = sorted(abs(placed(seen_a[what], rows[a]) - placed(seen_b[what], rows[b]))
                   for what in both)
    within = sum(ns <= bound for ns in apart)
    print(f'{a} and {b}: {len(both)} moments, {apart[len(apart) // 2]} ns apart in the middle, '
          f'{apart[len(apart) * 99 // 100]} ns at p99, {within / len(apart):.3%} within {bound} ns')
    check(within >= 0.998 * len(apart), f'{a} and {b}: {len(apart) - within} beyond their bounds')
    check(bound < 50_000, f'{a} and {b}: a bound of {bound} ns says nothing')


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2]) / 'selfmade-multitool'
    rows = {}
    for row in query(program, folder,
                     'SELECT f.path AS path, p.rule, p.offset_start_ns, p.offset_end_ns, '
                     'p.uncertainty_ns, p.first_ts, p.last_ts, c.name AS clock, p.placed '
                     'FROM placement p JOIN __intrinsic_trace_file f ON p.trace_id = f.id '
                     'LEFT JOIN clock c ON p.clock_id = c.id ORDER BY p.placed'):
        rows[pathlib.PurePath(row['path']).name] = row  # the clock with the most events is last
    for name in TEXTS:
        check(rows[name]['uncertainty_ns'] is not None, f'{name} has no bound')
    if failures:
        return 1
    for i, a in enumerate(TEXTS):
        for b in TEXTS[i + 1:]:
            compare(a, b, rows, folder)

    # Readings of all clocks during the recordings.
    with open(folder / 'clock_snapshots.csv', encoding='utf-8') as file:
        known = [{key: int(value) for key, value in row.items()} for row in csv.DictReader(file)]
    for row in known:
        mono = (row['mono_before_ns'] + row['mono_after_ns']) // 2
        for name, clock in (('ftrace_mono_raw.txt.gz', 'monotonic_raw_ns'),
                            ('node_strace.txt.gz', 'realtime_ns')):
            bound = rows[name]['uncertainty_ns'] + 2000
            off = abs(placed(row[clock], rows[name]) - mono)
            check(off <= bound, f'{name}: {off} ns off at {mono}, and it says {bound}')
    print('passed' if not failures else f'{len(failures)} failed')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
