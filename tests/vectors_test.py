#!/usr/bin/env python3
"""Runs all data vectors and holds vectors/PENDING to the truth.

PENDING lists, one a line, the vectors that do not pass yet; '#' starts a
comment. A vector that fails and is not listed fails this test, and so does any
crash or hang; a listed one that passes is named, so that the list only shrinks.

  vectors_test.py --tracebraid build/release/tracebraid [-j 2] [--write]

--write makes PENDING what it is now (for a change that adds vectors).

A folder inside a vector that has a file `options` is a vector of its own: the same
input, read with these command line options.
"""
import argparse
import os
import pathlib
import re
import sys
from concurrent.futures import ThreadPoolExecutor

VECTORS = pathlib.Path(__file__).resolve().parent.parent / 'vectors'
sys.path.insert(0, str(VECTORS))
import run_vectors  # noqa: E402

HEAD = '''\
# Vectors that do not pass yet, by area. tests/vectors_test.py fails when one fails
# that is not listed, and names those that pass and should leave the list.
'''


def pending_names(text):
    lines = (line.split('#')[0].strip() for line in text.splitlines())
    return {line for line in lines if line}


def variants_of(vector):
    """The vectors inside a vector: other options, other rows."""
    for name in sorted(os.listdir(vector.dir)):
        folder = os.path.join(vector.dir, name)
        if not os.path.exists(os.path.join(folder, 'options')):
            continue
        variant = run_vectors.Vector(str(VECTORS), folder)
        variant.trace = vector.trace
        variant.broken = [text for text in variant.broken if 'input' not in text]
        variant.options = pathlib.Path(folder, 'options').read_text().strip()
        yield variant


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--tracebraid', required=True)
    parser.add_argument('-j', '--jobs', type=int, default=os.cpu_count() or 1)
    parser.add_argument('--timeout', type=float, default=120)
    parser.add_argument('--write', action='store_true')
    args = parser.parse_args()

    file = VECTORS / 'PENDING'
    pending = pending_names(file.read_text()) if file.exists() else set()
    command = f'{os.path.abspath(args.tracebraid)} query {{trace}} --sql-file {{sql}} --format jsonl'
    vectors = run_vectors.find_vectors(str(VECTORS))
    vectors += [variant for vector in vectors for variant in variants_of(vector)]

    def run(vector):
        options = getattr(vector, 'options', '')
        return run_vectors.run_vector(vector, f'{command} {options}', args.timeout, '--strict')

    with ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(run, vectors))

    failing = {v.name for v, problems in zip(vectors, results) if problems}
    crashes = [v.name for v, problems in zip(vectors, results)
               if re.search(r'killed by signal|exit status -|no result within|Sanitizer', '\n'.join(problems))]
    if args.write:
        areas = {}
        for name in sorted(failing):
            areas.setdefault(name.split('/')[0], []).append(name)
        file.write_text(HEAD + ''.join(f'\n# {area}: {len(names)}\n' + '\n'.join(names) + '\n'
                                       for area, names in areas.items()))
        pending = failing

    new = sorted(failing - pending)
    done = sorted(pending - failing)
    shown = dict(zip((v.name for v in vectors), results))
    for name in new:
        print(f'FAIL {name}')
        print('\n'.join('     ' + part for line in shown[name] for part in line.split('\n')))
    for name in done:
        print(f'{name}: passes, or is gone: remove it from vectors/PENDING')
    for name in crashes:
        print(f'{name}: crashes or hangs; that is never pending')
    passed = len(vectors) - len(failing)
    print(f'{passed} passed, {len(new) + len(crashes)} failed, {len(failing & pending)} pending')
    return 1 if new or crashes else 0


if __name__ == '__main__':
    sys.exit(main())
