#!/usr/bin/env python3
"""Counts the rows of every table for the real proto traces and compares with a list.

The list, tests/golden/table_counts.tsv, has one line for each file, table and number of rows,
for review; it omits empty tables. After an intended change:

    table_counts.py --tracebraid build/release/tracebraid --traces ../shared/data/traces --write
"""
import argparse
import json
import pathlib
import subprocess
import sys

import golden_list

SUFFIXES = ('.pftrace', '.pftrace.gz', '.perfetto-trace', '.pb')
HEAD = 'file\ttable\trows'


def rows_of(tracebraid, path, sql):
    done = subprocess.run([tracebraid, 'query', str(path), sql, '--format', 'jsonl', '--no-progress'],
                          capture_output=True, timeout=300, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f'{path}: status {done.returncode}: {done.stderr.strip()[:300]}')
    return [json.loads(line) for line in done.stdout.splitlines()[1:]]


def count(tracebraid, root, path):
    """Returns the lines for one file."""
    # Excludes the lists of all stats and tables.
    names = [name for (name,) in rows_of(
        tracebraid, path, "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
        "AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT IN ('stats', 'perfetto_tables') ORDER BY name")]
    counts = rows_of(tracebraid, path, ' UNION ALL '.join(
        f"SELECT '{name}', count(*) FROM \"{name}\"" for name in names))
    return [f'{path.relative_to(root)}\t{name}\t{rows}' for name, rows in counts if rows]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tracebraid', required=True)
    parser.add_argument('--traces', required=True, type=pathlib.Path)
    parser.add_argument('--write', action='store_true')
    options = parser.parse_args()
    paths = sorted(p for p in options.traces.rglob('*') if p.name.endswith(SUFFIXES))
    lines = [HEAD] + [line for p in paths for line in count(options.tracebraid, options.traces, p)]
    is_same = golden_list.compare('table_counts.tsv', lines, options.write)
    print(f'{len(paths)} files, {len(lines) - 1} counts')
    return 0 if is_same and paths else 1


if __name__ == '__main__':
    sys.exit(main())
