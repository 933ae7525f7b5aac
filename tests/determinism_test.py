#!/usr/bin/env python3
"""One thread and eight give the same bytes, for every table.

Usage: determinism_test.py TRACEBRAID GENERATOR INPUT...

An input is a list of files joined by ','; one that is not there is skipped, and
said. `made:KIND` is a file that the generator makes, of several pieces that are
read on different threads.
"""
import os
import subprocess
import sys
import tempfile

TABLES = ('slice', 'track', 'thread', 'process', 'counter', 'args', 'flow', 'sched', 'thread_state',
          'clock_snapshot', 'machine', 'trace_file', 'metadata', 'placement', 'clock', 'clock_edge',
          '_trace_import_logs')
# Timings are what they are; everything else must not depend on the threads.
SQL = ';'.join(f'SELECT * FROM {table}' for table in TABLES) + \
    ";SELECT * FROM stats WHERE name NOT LIKE '%duration_ns'"


def rows(tracebraid, paths, threads):
    done = subprocess.run([tracebraid, 'query', *paths, SQL, '--format', 'jsonl', '--threads', str(threads)],
                          capture_output=True, timeout=600)
    if done.returncode != 0:
        raise SystemExit(f'{paths}: {done.stderr.decode()}')
    return done.stdout


MADE_SIZE = '9M'  # readers cut files into pieces of 4 MiB


def files_of(given, generator, folder):
    if not given.startswith('made:'):
        return given.split(',')
    path = os.path.join(folder, given)
    subprocess.run([generator, given.removeprefix('made:'), '-o', path, '--size', MADE_SIZE], check=True)
    return [path]


def main():
    with tempfile.TemporaryDirectory() as folder:
        return compare_all(sys.argv[1], sys.argv[2], sys.argv[3:], folder)


def compare_all(tracebraid, generator, inputs, folder):
    compared = 0
    for paths in (files_of(i, generator, folder) for i in inputs):
        if not all(os.path.exists(p) for p in paths):
            print(f'skipped, not here: {" ".join(paths)}')
            continue
        once = rows(tracebraid, paths, 1)
        for threads in (2, 8, 8):
            if rows(tracebraid, paths, threads) != once:
                raise SystemExit(f'{paths}: {threads} threads give other rows than one')
        compared += 1
        print(f'{" ".join(paths)}: {len(once)} bytes, the same for 1, 2 and 8 threads')
    return 0 if compared else 1


if __name__ == '__main__':
    sys.exit(main())
