#!/usr/bin/env python3
"""Equal files give equal rows in every table: with one, two and eight threads, with delayed
threads, and with every compiler.

  determinism_test.py --tracebraid PROGRAM --generator PROGRAM [--faults LIBRARY] [--write] INPUT...

An input is a list of files joined by ','. Missing inputs are skipped with a message. `made:KIND` is a
file of the generator with several chunks, which are read on different threads.

tests/golden/table_hashes.tsv has a hash of the rows of each table for the inputs in the project,
which holds for all compilers. After an intended change, --write replaces it.
"""
import argparse
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

import golden_list

PROJECT = pathlib.Path(__file__).resolve().parent.parent
HEAD = 'input\ttable\trows\thash'
MADE_SIZE = '5M'  # readers divide files into chunks of 4 MiB
MARK = '== '


LINE = b'\n'


def results(output):
    """Yields name, begin and end of the rows of each table. An empty line ends a result, whose first line has the names
    of columns; the result before it has the mark and the name."""
    before_name = f'["{MARK}'.encode()
    at = output.find(before_name)
    while at >= 0:
        name_end = output.index(b'"]\n', at)
        columns = name_end + len(b'"]\n\n')
        begin = output.index(LINE, columns) + 1
        next_result = output.find(b'\n\n', begin - 1)
        yield output[at + len(before_name):name_end].decode(), begin, len(output) if next_result < 0 else next_result + 1
        at = -1 if next_result < 0 else output.find(before_name, next_result)


class Runs:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder

    def files(self, given):
        if not given.startswith('made:'):
            return [os.path.abspath(path) for path in given.split(',')]
        path = os.path.join(self.folder, given)
        kind = given.removeprefix('made:')
        subprocess.run([self.options.generator, kind, '-o', path, '--size', MADE_SIZE], check=True)
        return [path]

    def query(self, paths, sql, threads, delays=None):
        environment = dict(os.environ)
        if delays is not None:
            environment.update(LD_PRELOAD=self.options.faults, FAULT_DELAYS=str(delays))
        # Tables contain names of files: they are given relative to their folder.
        root = os.path.commonpath([os.path.dirname(path) for path in paths])
        done = subprocess.run(
            [os.path.abspath(self.options.tracebraid), 'query', *(os.path.relpath(p, root) for p in paths), sql,
             '--format', 'jsonl', '--threads', str(threads), '--quiet'],
            capture_output=True, timeout=600, check=False, cwd=root, env=environment)
        if done.returncode != 0:
            raise SystemExit(f'{paths}: {done.stderr.decode()}')
        return done.stdout

    def hashes(self, paths, threads, delays=None):
        """Returns lines `table, rows, hash` for all tables with rows."""
        names = self.query(paths, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB "
                           "'__intrinsic_*' ORDER BY name", 1).decode().splitlines()[1:]
        # Excludes timings; all other values must not depend on the run.
        but = {'__intrinsic_stats': " WHERE value <> 0 AND name NOT LIKE '%duration_ns'"}
        names = [name.strip('[]"') for name in names]
        sql = ';'.join(f"SELECT '{MARK}{name}'; SELECT * FROM {name}{but.get(name, '')}" for name in names)
        lines = []
        output = self.query(paths, sql, threads, delays)
        for name, begin, end in results(output):
            if begin < end:  # some hundred MB, which are not copied
                digest = hashlib.sha256(memoryview(output)[begin:end]).hexdigest()[:16]
                lines.append(f'{name}\t{output.count(LINE, begin, end)}\t{digest}')
        return lines


def compare(runs, given, paths):
    once = runs.hashes(paths, 1)
    ways = [(2, None), (8, 1 if runs.options.faults else None)]
    if not input_name(given):  # from outside the project, and large
        ways = ways[1:]
    for threads, delays in ways:
        other = runs.hashes(paths, threads, delays)
        if other != once:
            differs = sorted(set(once) ^ set(other))
            raise SystemExit(f'{given}: {threads} threads (delays: {delays}) give other rows: {differs}')
    print(f'{given}: {len(once)} tables, the same for 1, {", ".join(str(n) for n, _ in ways)} threads'
          f'{" and with delays" if runs.options.faults else ""}')
    return once


def input_name(given):
    """Returns the name of an input in the list; none for inputs from outside the project."""
    if given.startswith('made:'):
        return given
    path = pathlib.Path(given).resolve()
    vectors = pathlib.Path(os.environ['TRACEBRAID_VECTORS']).resolve()
    if path.is_relative_to(vectors):
        return str('vectors' / path.relative_to(vectors))
    return str(path.relative_to(PROJECT)) if path.is_relative_to(PROJECT) else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tracebraid', required=True)
    parser.add_argument('--generator', required=True)
    parser.add_argument('--faults')
    parser.add_argument('--write', action='store_true')
    parser.add_argument('inputs', nargs='+')
    options = parser.parse_args()
    lines = [HEAD]
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(options, folder)
        for given in options.inputs:
            paths = runs.files(given)
            if not all(os.path.exists(path) for path in paths):
                print(f'skipped, not here: {given}')
                continue
            tables = compare(runs, given, paths)
            name = input_name(given)
            lines += [f'{name}\t{table}' for table in tables if name]
    return 0 if golden_list.compare('table_hashes.tsv', lines, options.write) else 1


if __name__ == '__main__':
    sys.exit(main())
