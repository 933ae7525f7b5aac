#!/usr/bin/env python3
"""Goes through failing vectors of our own: shows each difference, and makes what
the program prints the expected rows after a 'y'. Review happens in the diff of
the commit.

  make accept
  python3 tests/accept.py --tracebraid build/release/tracebraid FILTER...

Rows of kind `reference` are facts about another program, and vectors that expect
an error hold its text: those are never rewritten here.
"""
import argparse
import os
import pathlib
import subprocess
import sys

VECTORS = pathlib.Path(__file__).resolve().parent.parent / 'vectors'
sys.path.insert(0, str(VECTORS))
sys.dont_write_bytecode = True
import run_vectors  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--tracebraid', required=True)
    parser.add_argument('filter', nargs='*', help='parts of names; all vectors if none')
    args = parser.parse_args()
    program = os.path.abspath(args.tracebraid)
    command = f'{program} query {{trace}} --sql-file {{sql}} --format jsonl'

    accepted = left = 0
    for vector in run_vectors.find_vectors(str(VECTORS)):
        if args.filter and not any(part in vector.name for part in args.filter):
            continue
        if vector.kind == 'reference' or vector.broken or os.path.exists(vector.error_file):
            continue
        problems = run_vectors.run_vector(vector, command, 60, '--strict')
        if not problems:
            continue
        print(f'\n{vector.name}\n  {vector.note.splitlines()[0] if vector.note else ""}')
        print('\n'.join('  ' + line for line in problems))
        done = subprocess.run([program, 'query', vector.trace, '--sql-file', vector.sql,
                               '--format', 'jsonl'], capture_output=True)
        if done.returncode != 0:
            left += 1
        elif input('accept? [y/N] ').strip().lower() == 'y':
            pathlib.Path(vector.rows_file).write_bytes(done.stdout)
            accepted += 1
        else:
            left += 1
    print(f'{accepted} accepted, {left} left')
    return 1 if left else 0


if __name__ == '__main__':
    sys.exit(main())
