#!/usr/bin/env python3
"""The tables of worlds of content in docs/clock-model.md and docs/aligning.md have the figures that the unit tests measure.

  alignment_figures_test.py MERGE_TEST
"""
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[1]
PROGRAM = sys.argv.pop(1)
SEEDS = 20
PAGES = 'docs/clock-model.md', 'docs/aligning.md'
WORLDS = 'CallWorlds.*:RankWorlds.A*:FlowWorlds.A*:NetworkWorlds.A*:Spans.A*:Programs.A1*:Texts.A*'
HEADER = '| World | Files | Refused | Median, us '


def cells(row):
    return [cell.strip() for cell in row.strip().strip('|').split('|')]


def table():
    """Returns the rows of the pages by world."""
    rows = {}
    for page in PAGES:
        lines = (ROOT / page).read_text().splitlines()
        first = next(i for i, line in enumerate(lines) if line.startswith(HEADER)) + 2
        for line in itertools.takewhile(lambda line: line.startswith('|'), lines[first:]):
            rows[cells(line)[0]] = cells(line)[1:]
    return rows


class Figures(unittest.TestCase):
    maxDiff = None

    def test_figures_are_those_of_the_page(self):
        with tempfile.TemporaryDirectory(prefix='tracebraid-figures-') as folder:
            figures = pathlib.Path(folder) / 'figures'
            done = subprocess.run([PROGRAM, f'--gtest_filter={WORLDS}'], capture_output=True, text=True, timeout=900,
                                  env={**os.environ, 'TRACEBRAID_SEEDS': str(SEEDS), 'TRACEBRAID_FIGURES': str(figures)})
            self.assertEqual(done.returncode, 0, done.stdout[-4000:])
            measured = {cells(line)[0]: cells(line)[1:] for line in figures.read_text().splitlines()}
        page = table()
        self.assertEqual(list(measured.keys() ^ page.keys()), [])
        self.assertGreater(len(page), 20)
        for world, row in measured.items():
            for name, found, stated in zip(('files', 'refused', 'median', 'p99', 'bound', 'within', 'before', 'bound before'),
                                           row, page[world], strict=True):
                with self.subTest(world, figure=name):
                    if found.replace('.', '').isdigit() and stated.replace('.', '').isdigit() and name != 'files':
                        # Other machines round the simulated times elsewise.
                        self.assertAlmostEqual(float(found), float(stated), delta=0.2 + 0.01 * float(stated))
                    else:
                        self.assertEqual(found, stated)


if __name__ == '__main__':
    unittest.main()
