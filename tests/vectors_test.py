#!/usr/bin/env python3
"""Runs the data vectors and compares the rows. vectors/README.md describes them.

  vectors_test.py --tracebraid build/release/tracebraid [-j 2] [--write]
  vectors_test.py --tracebraid PROGRAM --filter rendezvous --kind reference
  vectors_test.py --list --filter manifest        names, kinds and notes
  vectors_test.py --materialise DIR               writes the inputs: DIR/AREA/FOLDER/trace.*, NAME.sql
                                                  and NAME.jsonl or NAME.error for each query

vectors/PENDING, if it exists, lists the vectors that do not pass yet, one per line, each with the reason after '#'.
The test fails for a failing vector that is not listed, and for any crash or hang. It names listed vectors
that pass, so that the list only shrinks. --write updates PENDING (for a change that adds vectors), with the
reasons of the vectors that ran. The exit status is 2 if no vector was selected.
"""
import argparse
import os
import pathlib
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
from vectors import cases, run, textproto  # noqa: E402

PENDING = cases.VECTORS / 'PENDING'
HEAD = '''\
# Vectors that do not pass yet, by area. tests/vectors_test.py fails when one fails
# that is not listed, and names those that pass and should leave the list. Behind a name is the first
# difference ('-' is what is expected) or the error.
'''
LONGEST_REASON = 100  # characters
CRASH = re.compile(r'killed by signal|no result within|Sanitizer')


def read_pending():
    """Returns the reasons of the listed vectors, by name."""
    text = PENDING.read_text(encoding='utf-8') if PENDING.exists() else ''
    lines = (line.partition('#') for line in text.splitlines())
    return {name.strip(): reason.strip() for name, _, reason in lines if name.strip()}


def write_pending(reasons):
    if not reasons:
        PENDING.unlink(missing_ok=True)
        return
    areas = {}
    for name in sorted(reasons):
        areas.setdefault(name.split('/')[0], []).append(f'{name}  # {reasons[name]}'.rstrip(' #'))
    PENDING.write_text(HEAD + ''.join(f'\n# {area}: {len(lines)}\n' + '\n'.join(lines) + '\n'
                                      for area, lines in areas.items()), encoding='utf-8')


def reason_of(problems):
    """Returns the problem in one line: for a failed statement the last line, which is the error."""
    lines = [line.strip() for line in '\n'.join(problems).splitlines() if line.strip()]
    line = lines[-1] if problems[-1].startswith('stderr:') else lines[0]
    return line if len(line) <= LONGEST_REASON else line[:LONGEST_REASON] + '...'


def materialise(to):
    """Writes all inputs and queries; removes those of deleted vectors."""
    runs = run.prepare(to, textproto.project_schema())
    wanted = {path for one in runs for path in (one.trace, one.sql, one.sql.with_suffix('.jsonl'),
                                                one.sql.with_suffix('.error'))}
    for pattern in ('trace.*', '*.sql', '*.jsonl', '*.error'):
        for path in pathlib.Path(to).glob(f'*/*/{pattern}'):
            if path not in wanted:
                path.unlink(missing_ok=True)
    print(f'{len({one.trace for one in runs})} inputs in {to}')


def report(runs, results, is_whole, args):
    """Prints failures; returns the exit status."""
    shown = {one.name: problems for one, problems in zip(runs, results)}
    failing = {name for name, problems in shown.items() if problems}
    crashes = sorted(name for name in failing if CRASH.search('\n'.join(shown[name])))
    pending = read_pending()
    if args.write:
        others = {} if is_whole else {name: reason for name, reason in pending.items() if name not in shown}
        pending = others | {name: reason_of(shown[name]) for name in failing}
        write_pending(pending)
    new = sorted(failing - pending.keys())
    for name in new:
        print(f'FAIL {name}')
        print('\n'.join('     ' + part for line in shown[name] for part in line.split('\n')))
    for name in sorted(pending.keys() - failing):
        if is_whole or name in shown:
            print(f'{name}: passes, or is gone: remove it from vectors/PENDING')
    for name in crashes:
        print(f'{name}: crashes or hangs; that is never pending')
    failed = len(set(new) | set(crashes))
    print(f'{len(shown) - len(failing)} passed, {failed} failed, {len(failing & pending.keys())} pending')
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--tracebraid', help='the program')
    parser.add_argument('-j', '--jobs', type=int, default=os.cpu_count() or 1)
    parser.add_argument('--timeout', type=float, default=120, help='seconds for one vector (default: %(default)s)')
    parser.add_argument('--filter', action='append', default=[], metavar='REGEX',
                        help='only vectors whose name has it; may be repeated (any of them)')
    parser.add_argument('--kind', action='append', default=[], choices=('reference', 'ours', 'unknown'))
    parser.add_argument('--list', action='store_true', help='print names, kinds and notes, run nothing')
    parser.add_argument('--materialise', metavar='DIR', help='write the inputs and queries, run nothing')
    parser.add_argument('--write', action='store_true', help='make vectors/PENDING what it is now')
    args = parser.parse_args()

    if args.materialise:
        materialise(args.materialise)
        return 0
    if not args.tracebraid and not args.list:
        parser.error('--tracebraid is needed')
    with tempfile.TemporaryDirectory(prefix='tracebraid-vectors-') as folder:
        runs = run.prepare(folder, textproto.project_schema(), args.filter, args.kind)
        if args.list:
            for one in runs:
                print(one.name, one.case.kind(), *one.case.notes[:1], sep='\t')
            return 0
        if not runs:
            print('no vector selected', file=sys.stderr)
            return 2
        program = os.path.abspath(args.tracebraid)
        with ThreadPoolExecutor(max(1, args.jobs)) as pool:
            results = list(pool.map(lambda one: run.problems(one, program, args.timeout), runs))
    return report(runs, results, not args.filter and not args.kind, args)


if __name__ == '__main__':
    sys.exit(main())
