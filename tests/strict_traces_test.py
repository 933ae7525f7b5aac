#!/usr/bin/env python3
"""Opens every real trace of ../shared/data/traces with --strict and compares those that fail with a list.

golden/strict_traces.tsv has one line for each trace that --strict refuses: its path, the stats or other causes, and why
that is right. A trace that is not in the list must pass, and a trace in the list must fail for the causes it names.

  strict_traces_test.py TRACEBRAID TRACES [--write]    --write updates paths and causes of the list, and keeps the reasons
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

LIST = pathlib.Path(__file__).parent / 'golden' / 'strict_traces.tsv'
NOT_TRACES = {'.md', '.LICENSE'}


def check(tracebraid, path, *options):
    return subprocess.run([tracebraid, 'check', '--json', '-q', path, *options], capture_output=True, text=True,
                          errors='replace', timeout=300)


def causes_of(tracebraid, path):
    """Returns the causes of --strict to fail, sorted; an empty list if it passes; None for a file that is no trace."""
    strict = check(tracebraid, path, '--strict')
    if strict.returncode == 0:
        return []
    done = strict if strict.returncode == 1 else check(tracebraid, path)
    if done.returncode not in (0, 1):
        return None  # not read without --strict either
    report = json.loads(done.stdout)
    causes = {loss['stat'] for loss in report['losses'] if loss['level'] == 'lost'}
    for trouble in report['trouble']:
        if trouble.endswith(' is a guess'):
            causes.add('a guess')
        if re.search('not read|no format', trouble):
            causes.add('a member is not read')
    return sorted(causes) or report['trouble']


def read_list():
    lines = [line.split('\t') for line in LIST.read_text().splitlines() if line and not line.startswith('#')]
    return {path: (causes.split(', '), why) for path, causes, why in lines}


def main():
    tracebraid, root, write = sys.argv[1], pathlib.Path(sys.argv[2]), '--write' in sys.argv
    if not root.exists():
        print('no real traces: skipped')
        return 0
    paths = sorted(path for path in root.rglob('*') if path.is_file() and path.suffix not in NOT_TRACES)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(paths, pool.map(lambda path: causes_of(tracebraid, path), paths)))
    failing = {str(path.relative_to(root)): causes for path, causes in found.items() if causes}
    expected = read_list()
    if write:
        head = [line for line in LIST.read_text().splitlines() if line.startswith('#')]
        LIST.write_text('\n'.join(head + [f'{path}\t{", ".join(causes)}\t{expected.get(path, ("", "?"))[1]}'
                                          for path, causes in failing.items()]) + '\n')
    troubles = [f'{path}: fails for {", ".join(causes)}, and is not in {LIST.name}' for path, causes in failing.items()
                if path not in expected]
    troubles += [f'{path}: fails for {", ".join(failing[path])} instead of {", ".join(causes)}'
                 for path, (causes, _) in expected.items() if path in failing and failing[path] != causes]
    troubles += [f'{path}: passes, but is in {LIST.name}' for path in expected if path not in failing]
    passed = sum(causes == [] for causes in found.values())
    unread = sum(causes is None for causes in found.values())
    print(f'{passed} traces pass --strict, {len(failing)} fail, {unread} files are not read')
    print('\n'.join(troubles))
    return 1 if troubles or passed == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
