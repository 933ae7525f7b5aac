#!/usr/bin/env python3
"""Opens every real trace of ../shared/data/traces, one by one.

The program must exit with status 0, or 3 for a file of an unsupported format, and
must report skipped data. Usage: real_traces_test.py TRACEBRAID TRACES
"""
import json
import pathlib
import subprocess
import sys

NOT_TRACES = {'.md', '.txt.license', '.LICENSE'}


def run(*argv):
    return subprocess.run(argv, capture_output=True, timeout=300, text=True, errors='replace')


def check(tracebraid, path):
    """Returns the problem of one file, or None; and the number of its slices."""
    done = run(tracebraid, 'query', path, 'SELECT count(*) FROM slice', '--format', 'jsonl')
    if done.returncode == 3 and ('Unknown trace type' in done.stderr or 'but not read' in done.stderr):
        return None, None
    if done.returncode != 0:
        return f'query: status {done.returncode}: {done.stderr.strip()[:300]}', None
    info = run(tracebraid, 'info', path)
    if info.returncode != 0:
        return f'info: status {info.returncode}: {info.stderr.strip()[:300]}', None
    return None, json.loads(done.stdout.splitlines()[1])[0]


def main():
    tracebraid, root = sys.argv[1], pathlib.Path(sys.argv[2])
    read = slices = unknown = 0
    troubles = []
    for path in sorted(p for p in root.rglob('*') if p.is_file() and p.suffix not in NOT_TRACES):
        trouble, count = check(tracebraid, str(path))
        if trouble:
            troubles.append(f'{path.relative_to(root)}: {trouble}')
        elif count is None:
            unknown += 1
        else:
            read += 1
            slices += count
    print(f'{read} files read, {slices} slices; {unknown} of formats that are not read')
    print('\n'.join(troubles))
    return 1 if troubles or read == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
