#!/usr/bin/env python3
"""Measures how time and memory of an import grow with the size of its input.

  bench/growth.py                        10 MB to 4 GB of each kind; writes the figures into bench/README.md
  bench/growth.py --sizes 1M,4M --dry    a quick look; does not change bench/README.md

The exponent is the slope of a line through the sizes and times, both as logarithms: 1 is linear.
It uses sizes from 40 MB on, because the fixed costs of a process dominate smaller ones. Times are CPU seconds,
user and system, because other processes affect them little. scripts/bench builds the programs.
"""
import argparse
import math
import pathlib
import subprocess
import sys

import run as bench

BEGIN, END = '<!-- growth: written by bench/growth.py -->', '<!-- end of growth -->'
SIZES = ['10M', '40M', '160M', '640M', '2G', '4G']
LEAST_FITTED = 40_000_000
# Part of the machine's memory; larger inputs would be measured while pages are written out.
MOST_MEMORY = 0.8


def slope(points):
    """Returns the slope of the least-squares line through (size, value), both as logarithms."""
    logs = [(math.log(size), math.log(value)) for size, value in points]
    mean_x = sum(x for x, _ in logs) / len(logs)
    mean_y = sum(y for _, y in logs) / len(logs)
    return (sum((x - mean_x) * (y - mean_y) for x, y in logs) /
            sum((x - mean_x) ** 2 for x, _ in logs))


def memory_of_machine():
    words = pathlib.Path('/proc/meminfo').read_text().split()
    return int(words[words.index('MemTotal:') + 1]) * 1024


def measure(tracebraid, path, runs):
    """Returns CPU seconds of the best run and bytes of the largest resident set."""
    command = [tracebraid, 'query', path, 'SELECT 1;', '--quiet']
    results = [bench.run(command, stdout=subprocess.DEVNULL) for _ in range(runs)]
    if any(status != 0 for *_, status in results):
        sys.exit(f'growth: {path} cannot be read')
    return min(cpu for _, _, cpu, _ in results), max(peak for _, peak, _, _ in results)


def grow(build, kind, sizes, folder):
    """Returns (bytes, CPU seconds, peak bytes) for each size that fits into memory."""
    rows = []
    for size in sizes:
        if rows and rows[-1][2] * size / rows[-1][0] > memory_of_machine() * MOST_MEMORY:
            print(f'growth: {kind} of {size / 1e6:.0f} MB would not fit into memory; left out', file=sys.stderr)
            break
        path = bench.input_file(build / 'tracebraid-generate', kind, size, folder)
        cpu, peak = measure(build / 'tracebraid', path, 3 if size < 10**9 else 1)
        rows.append((path.stat().st_size, cpu, peak))
        if size >= 10**9:
            path.unlink()
        print(f'growth: {kind}, {size / 1e6:.0f} MB: {cpu:.2f} s, {peak / 1e6:.0f} MB', file=sys.stderr)
    return rows


def figures(results):
    table = [[kind, f'{size / 1e6:.0f}', f'{cpu:.2f}', f'{cpu * 1e9 / size:.2f}', f'{peak / size:.2f}']
             for kind, rows in results.items() for size, cpu, peak in rows]
    exponents = []
    for kind, rows in results.items():
        fitted = [row for row in rows if row[0] >= LEAST_FITTED] if len(rows) > 2 else rows
        if len(fitted) > 1:
            exponents.append(f'{kind} {slope([(size, cpu) for size, cpu, _ in fitted]):.2f} and '
                             f'{slope([(size, peak) for size, _, peak in fitted]):.2f}')
    return (bench.table(['Input', 'MB', 'CPU s', 'CPU s a GB', 'peak memory / input'], table) +
            '\n\nExponents of time and of memory: ' + '; '.join(exponents) + '.')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--build', type=pathlib.Path, default=bench.ROOT / 'build' / 'release')
    parser.add_argument('--sizes', type=lambda text: [bench.size_in_bytes(part) for part in text.split(',')],
                        default=','.join(SIZES))
    parser.add_argument('--kind', action='append', choices=bench.KINDS, help='only this one; may be repeated')
    parser.add_argument('--dry', action='store_true', help='do not write bench/README.md')
    args = parser.parse_args()
    folder = bench.ROOT / 'build' / 'bench'
    folder.mkdir(parents=True, exist_ok=True)
    text = figures({kind: grow(args.build, kind, args.sizes, folder) for kind in args.kind or bench.KINDS})
    print(text)
    if not args.dry:
        bench.write_between(BEGIN, END, text)


if __name__ == '__main__':
    main()
