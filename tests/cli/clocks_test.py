#!/usr/bin/env python3
"""Clocks that were set back, base times and markers on the command line. TRACEBRAID names the program."""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'vectors'))
import textproto  # noqa: E402

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
SECOND = 1_000_000_000
BOOT, WALL = 5_000 * SECOND, 1_763_640_000 * SECOND
DAYS_52 = 52 * 86_400
SCHEMA = textproto.Schema(textproto.TABLES)


def set_back(by_s, events, shuffled=False, at_s=61, duration_s=120, every_s=5):
    """Returns a trace whose wall clock is set back in the middle. Each instant is named by its true BOOTTIME."""
    def wall(moment):
        return WALL + moment - (by_s * SECOND if moment >= at_s * SECOND else 0)

    packets = [f'packet {{ trusted_packet_sequence_id: 1 clock_snapshot {{ '
               f'clocks {{ clock_id: 6 timestamp: {BOOT + moment} }} clocks {{ clock_id: 1 timestamp: {wall(moment)} }} }} }}'
               for moment in range(0, duration_s * SECOND + 1, every_s * SECOND)]
    moments = [duration_s * SECOND * i // events for i in range(events)]
    if shuffled:
        random.Random(4).shuffle(moments)
    packets += [f'packet {{ timestamp: {wall(moment)} timestamp_clock_id: 1 trusted_packet_sequence_id: 1 '
                f'track_event {{ type: TYPE_INSTANT name: "{BOOT + moment}" }} }}' for moment in moments]
    return textproto.encode('\n'.join(packets), SCHEMA)


class Clocks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix='tracebraid-clocks-')
        self.addCleanup(self.folder.cleanup)

    def write(self, name, content):
        path = pathlib.Path(self.folder.name) / name
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return str(path)

    def run_it(self, *arguments, status=0):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def rows(self, files, sql, *options):
        out = self.run_it('query', *files, sql, '--format', 'jsonl', *options)
        return [json.loads(line) for line in out.splitlines()[1:]]

    def placed(self, file):
        [row] = self.rows([file], 'SELECT placed, by_order, dropped_ambiguous, uncertainty_ns FROM placement')
        [[worst]] = self.rows([file], 'SELECT max(abs(ts - CAST(name AS INT))) FROM slice')
        return (*row, worst)

    def test_a_clock_that_was_set_back_far_loses_no_event(self):
        trace = self.write('far.pb', set_back(600, 3563))
        placed, by_order, ambiguous, bound, worst = self.placed(trace)
        self.assertEqual((placed, by_order, ambiguous), (3563, 0, 0))
        self.assertLessEqual(worst, 2_000)
        self.assertLessEqual(bound, 1_000_000)
        self.assertNotIn('ambiguous', self.run_it('check', trace, '--strict'))

    def test_the_order_of_the_file_places_what_two_segments_reach(self):
        trace = self.write('near.pb', set_back(20, 3563))
        placed, by_order, ambiguous, bound, worst = self.placed(trace)
        self.assertEqual((placed, ambiguous), (3563, 0))
        self.assertGreater(by_order, 1000)
        self.assertLessEqual(worst, 2_000)
        self.assertLessEqual(bound, 1_000_000)
        self.assertIn('placed by the order of the file', self.run_it('check', trace, '--wide'))
        report = json.loads(self.run_it('check', trace, '--json'))
        self.assertEqual([clock['by_order'] for clock in report['placements']], [by_order])
        self.assertIn('may have shown that time twice', self.run_it('check', trace, '--explain', 'near.pb'))

    def test_a_file_in_no_order_loses_only_what_two_segments_reach(self):
        trace = self.write('shuffled.pb', set_back(20, 3563, shuffled=True))
        placed, by_order, ambiguous, _, worst = self.placed(trace)
        self.assertEqual(by_order, 0)
        self.assertEqual(placed + ambiguous, 3563)
        self.assertGreater(placed, 1500)
        self.assertLessEqual(worst, 2_000)

    def test_base_times_place_files_of_one_host_within_microseconds(self):
        files = [self.write(name, {'baseTimeNanoseconds': WALL + ahead * SECOND, 'traceEvents': [
            {'ph': 'X', 'name': name, 'pid': 1, 'tid': 1, 'ts': (DAYS_52 - ahead) * 1e6 + i, 'dur': 1} for i in (0, 500)]})
            for name, ahead in (('a.json', 0), ('b.json', 7))]
        sql = "SELECT uncertainty_ns FROM placement WHERE rule = 'rendezvous'"
        manifest = self.write('manifest.json', {'perfetto_manifest': {'version': 1, 'files': [
            {'path': name, 'machine': {'name': 'host'}} for name in ('a.json', 'b.json')]}})
        self.assertEqual(self.rows(files, sql, '--manifest', manifest), [[20_000]])
        self.assertEqual(self.rows(files, sql), [[10_020_000]])
        self.assertEqual(self.rows(files, 'SELECT count(DISTINCT ts) FROM slice'), [[2]])

    def test_markers_place_a_file(self):
        files = [self.write(name, [
            {'ph': 'i', 'name': 'tracebraid.sync', 'pid': 1, 'tid': 1, 's': 't', 'ts': ahead + i * 1e6 + i * i,
             'args': {'id': f'moment {i}'}} for i in range(12)]) for name, ahead in (('a.json', 5e6), ('b.json', 9e8))]
        out = self.run_it('check', *files, '--strict', '--wide')
        self.assertIn('markers (12 of 12)', out)
        [[bound, apart]] = self.rows(files, """SELECT max(uncertainty_ns), (SELECT max(distance) FROM (
            SELECT max(ts) - min(ts) AS distance FROM slice JOIN args USING (arg_set_id) GROUP BY string_value))
            FROM placement""")
        self.assertLessEqual(bound, 10_000)
        self.assertLessEqual(apart, 5_000)
        self.assertIn('events that the user wrote', self.run_it('check', *files, '--explain', 'b.json'))


if __name__ == '__main__':
    unittest.main()
