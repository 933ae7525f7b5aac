#!/usr/bin/env python3
"""Opens every two real traces together, and lists the pairs that content relates.

The corpus has few recordings of one run. Any other pair that content relates is a false match. Takes an hour for 12,000
pairs, so that it is not part of the test suites. Usage: corpus_pairs.py TRACEBRAID TRACES [PATTERN]

PATTERN, such as 'hta/*', chooses one of the two files. The exit status is 1 if there is a false match.
"""
import itertools
import json
import pathlib
import subprocess
import sys

# Folders whose files are recordings of one run, and the kinds that may relate them.
ONE_RUN = {
    'selfmade-multitool': {'task_switches', 'same_events', 'logs'},
    'hta/trace_filter': {'collectives', 'same_events'},
}
FACTS = ("SELECT kind, verdict, used FROM clock_match_set WHERE verdict <> 'refused' "
         "UNION ALL SELECT source, 'used', 0 FROM clock_edge WHERE source = 'task_switches'")


def rows(program, paths, sql):
    """Returns None if a file is not read."""
    done = subprocess.run([program, 'query', *map(str, paths), sql, '--format', 'jsonl', '--quiet'],
                          capture_output=True, text=True, timeout=300, errors='replace')
    if done.returncode == 0:
        return [json.loads(line) for line in done.stdout.splitlines()[1:]]
    if done.returncode == 3 and len(paths) == 1:
        return None
    raise RuntimeError(f'status {done.returncode} of {" ".join(map(str, paths))}: {done.stderr.strip()[-300:]}')


def may_match(first, second, kind, root):
    """Whether the corpus says that both files are of one run."""
    folder = str(first.parent.relative_to(root))
    if first.read_bytes() == second.read_bytes():
        return True
    return first.parent == second.parent and kind in ONE_RUN.get(folder, set())


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    pattern = sys.argv[3] if len(sys.argv) > 3 else '*'
    files = [path for path in sorted(root.rglob('*')) if path.is_file() and rows(program, [path], 'SELECT 1')]
    pairs = matched = wrong = 0
    for first, second in itertools.combinations(files, 2):
        if not any(path.relative_to(root).match(pattern) for path in (first, second)):
            continue
        pairs += 1
        for kind, verdict, used in rows(program, [first, second], FACTS):
            is_false = not may_match(first, second, kind, root)
            matched += 1
            wrong += is_false
            print('FALSE' if is_false else 'match', kind, verdict, used, first.relative_to(root), second.relative_to(root),
                  flush=True)
        if pairs % 500 == 0:
            print(f'{pairs} pairs of {len(files)} files', file=sys.stderr, flush=True)
    print(f'{pairs} pairs of {len(files)} files: {matched} match sets, {wrong} false')
    return 1 if wrong or pairs == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
