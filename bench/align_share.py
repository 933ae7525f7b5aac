#!/usr/bin/env python3
"""Share of CPU time that content costs when files are opened, of `perf record`'s samples in functions of tracebraid::align.

  align_share.py PROGRAM [--files 4] [--events 150000] [--operations 0]

Without --operations the files have nothing in common. With it they are ranks of one job that have as many collectives.
"""
import argparse
import json
import pathlib
import random
import subprocess
import tempfile


def events_of(file, options):
    """Returns the events of a file: slices with args of its own, and the collectives of all ranks."""
    generator, common, now = random.Random(file), random.Random(-1), 1000
    events, every = [], options.events // max(1, options.operations)
    for i in range(options.events):
        now += generator.randrange(1, 50)
        events.append({'ph': 'X', 'pid': file + 1, 'tid': file + 1 + i % 4, 'name': f'work {generator.randrange(500)} of {file}',
                       'cat': f'c{file}', 'ts': now, 'dur': generator.randrange(1, 20),
                       'args': {f'value{file}': generator.randrange(10**6), f'where{file}': f'place {generator.randrange(3000)}'}})
    at = 1000
    for number in range(options.operations):
        at += every * common.randrange(1, 50)
        events.append({'ph': 'X', 'cat': 'kernel', 'pid': file + 1, 'tid': 99, 'name': 'ncclDevKernel_AllReduce', 'ts': at,
                       'dur': 20 + generator.randrange(10), 'args': {
                           'Collective name': 'allreduce', 'Process Group Name': '0', 'Seq': number, 'In msg nelems': 64,
                           'Process Group Ranks': str(list(range(options.files))), 'Out msg nelems': 64,
                           'Group size': options.files}})
    return {'distributedInfo': {'rank': file, 'world_size': options.files} if options.operations else {}, 'traceEvents': events}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program')
    for name, usual in ('files', 4), ('events', 150_000), ('operations', 0):
        parser.add_argument(f'--{name}', type=int, default=usual)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='tracebraid-share-') as folder:
        paths = [pathlib.Path(folder) / f'{file}.json' for file in range(options.files)]
        for file, path in enumerate(paths):
            path.write_text(json.dumps(events_of(file, options)))
        record = f'{folder}/perf.data'
        subprocess.run(['perf', 'record', '-q', '-F', '3999', '-o', record, options.program, 'query', *map(str, paths),
                        'SELECT count(*) FROM slice', '--quiet'], check=True, stdout=subprocess.DEVNULL)
        report = subprocess.run(['perf', 'report', '-i', record, '--sort', 'symbol', '--stdio'], capture_output=True, text=True,
                                check=True).stdout
    rows = [(float(line.split('%')[0]), line.split(']', 1)[1].strip()) for line in report.splitlines() if ']' in line and '%' in line]
    found = [row for row in rows if 'tracebraid::align::' in row[1]]
    for share, symbol in found[:10]:
        print(f'{share:6.2f} %  {symbol[:100]}')
    print(f'{sum(share for share, _ in found):6.2f} %  of the samples')


if __name__ == '__main__':
    main()
