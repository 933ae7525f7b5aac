#!/usr/bin/env python3
"""Shows the difference of each failing vector of kind ours, and on 'y' replaces the expected
rows by the output of the program. Review the diff of the commit.

  make accept
  python3 tests/accept.py --tracebraid build/release/tracebraid FILTER...

Vectors of kind `reference` and vectors that expect an error are never rewritten: their rows
are facts about another program, and their error texts are fixed.
"""
import argparse
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from vectors import cases, run, textproto  # noqa: E402


def accept(one, rows):
    """Writes the file of the query with these rows."""
    one.case.rows = rows.strip('\n') + '\n'
    for file, queries in one.folder.files.items():
        if one.case in queries:
            cases.write(file, queries)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--tracebraid', required=True)
    parser.add_argument('filter', nargs='*', help='regular expressions for names; all vectors if none')
    args = parser.parse_args()
    program = os.path.abspath(args.tracebraid)

    accepted = left = 0
    with tempfile.TemporaryDirectory(prefix='tracebraid-vectors-') as folder:
        for one in run.prepare(folder, textproto.project_schema(), args.filter, ('ours', 'unknown')):
            problems = run.problems(one, program, 60) if one.case.error is None else []
            if not problems:
                continue
            print('\n'.join(['', one.name, *('  ' + line for line in [*one.case.notes[:1], *problems])]))
            done = subprocess.run(one.command(program), capture_output=True, check=False)
            if done.returncode == 0 and input('accept? [y/N] ').strip().lower() == 'y':
                accept(one, done.stdout.decode())
                accepted += 1
            else:
                left += 1
    print(f'{accepted} accepted, {left} left')
    return 1 if left else 0


if __name__ == '__main__':
    sys.exit(main())
