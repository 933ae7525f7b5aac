#!/usr/bin/env python3
"""Files that are placed by their content, and the check of causes and effects, on the command line. TRACEBRAID names the program."""
import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
OFFSET_US = 7_000_000  # by which the clock of b.json is ahead


def flows(count, reused=0, ways=2):
    """Returns the events of a.json and b.json: flows between them of 100 us and more, of which `reused` end 1 s too early."""
    generator = random.Random(5)
    files = [], []
    for i in range(count):
        start, way = 10_000_000 + i * 20_000, i % ways
        end = start + 100 + generator.randrange(50) - (1_000_000 if i < reused else 0)
        flow = f'0x{generator.getrandbits(62) | 1 << 61 | 1:x}'  # looks like a global id
        for phase, ts, file in ('s', start, way), ('f', end, 1 - way):
            event = {'pid': 1, 'tid': 1, 'cat': 'c', 'name': 'n', 'ts': ts + file * OFFSET_US}
            files[file].append({**event, 'ph': 'X', 'dur': 10})
            files[file].append({**event, 'ph': phase, 'id': flow, 'bp': 'e'})
    return files


def calls(count):
    """Returns the events of a.json and b.json: calls of b's services by a, 2 ms there and back."""
    generator = random.Random(6)
    files = [], []
    for i in range(count):
        trace, client, server = (f'{generator.getrandbits(bits) | 1:0{bits // 4}x}' for bits in (128, 64, 64))
        start = 10_000_000 + i * 50_000 + generator.randrange(9_000)
        files[0].append({'ph': 'X', 'pid': 1, 'tid': 1, 'name': 'call', 'ts': start, 'dur': 5000,
                         'args': {'trace_id': trace, 'span_id': client, 'span.kind': 'client'}})
        files[1].append({'ph': 'X', 'pid': 2, 'tid': 2, 'name': 'serve', 'ts': start + OFFSET_US + 2000, 'dur': 1000,
                         'args': {'traceId': trace, 'spanId': server, 'parentSpanId': client, 'kind': 'SERVER'}})
    return files


def program(pids, period=0):
    """Returns the events of a.json and b.json: slices of one program by two recorders, up to 3 us apart."""
    generator = random.Random(7)
    files, now = ([], []), 10_000_000
    for i in range(1500):
        now += period or 100 + int(generator.expovariate(1 / 1000))
        name = 'tick' if period else f'work {generator.randrange(20)}'
        for file, pid in enumerate(pids):
            files[file].append({'ph': 'X', 'pid': pid, 'tid': pid + 1, 'name': name, 'dur': 1,
                                'ts': now + file * OFFSET_US + generator.randrange(4)})
    return files


def lines(count):
    """Returns the events of a.json and b.json: instants with messages, those of b up to 0.3 ms later."""
    generator = random.Random(8)
    files, now = ([], []), 10_000_000
    for i in range(count):
        now += 1000 + int(generator.expovariate(1 / 200_000))
        text = f'request {generator.getrandbits(40):x} of user {generator.getrandbits(30)} is done'
        for file in 0, 1:
            files[file].append({'ph': 'i', 's': 't', 'pid': 1, 'tid': 1, 'name': 'log', 'args': {'message': text},
                                'ts': now + file * (OFFSET_US + generator.randrange(300))})
    return files


class Aligning(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix='tracebraid-aligning-')
        self.addCleanup(self.folder.cleanup)
        self.write(flows(200))

    def write(self, files):
        self.files = []
        for name, events in zip(('a.json', 'b.json'), files):
            path = pathlib.Path(self.folder.name) / name
            path.write_text(json.dumps(events))
            self.files.append(str(path))

    def run_it(self, *arguments, status=0):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def rows(self, sql, *options):
        done = subprocess.run([PROGRAM, 'query', *self.files, sql, '--format', 'jsonl', *options],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()[1:]]

    def test_flows_both_ways_place_a_file(self):
        out = self.run_it('check', *self.files, '--strict', '--wide')
        self.assertIn('flows both ways (200 of 200)', out)
        self.assertIn('causality: 200 pairs, 0 certain, 0 within uncertainty (before: 100)', out)
        [[offset, bound, used]] = self.rows("SELECT abs(offset_ns), bound_ns, used FROM clock_match_set WHERE kind = 'flows'")
        self.assertLess(abs(offset - OFFSET_US * 1000), 60_000)
        self.assertLess(bound, 300_000)
        self.assertEqual(used, 200)
        self.assertEqual(self.rows('SELECT count(*), sum(used) FROM clock_match WHERE used'), [[200, 200]])
        self.assertEqual(self.rows("SELECT matched, assumes FROM placement WHERE rule = 'relayed'"),
                         [[200, 'symmetric_delay']])
        self.assertGreater(self.rows('SELECT count(*) FROM clock_residual')[0][0], 200)
        report = json.loads(self.run_it('check', *self.files, '--json'))
        self.assertEqual([row['verdict'] for row in report['matched'] if row['kind'] == 'flows'], ['used'])
        self.assertEqual(sum(row['pairs'] for row in report['causality']), 200)
        self.assertIn('200 of 200 matches are used', self.run_it('check', *self.files, '--explain', 'b.json'))
        graph = os.path.join(self.folder.name, 'clocks.svg')
        self.run_it('check', *self.files, '--graph', graph)
        self.assertIn('flows', pathlib.Path(graph).read_text())

    def test_kinds_are_chosen(self):
        for kinds, placed in ('off', 0), ('verify', 0), ('collectives', 0), ('flows', 1), ('collectives,flows', 1):
            with self.subTest(kinds):
                out = self.run_it('check', *self.files, '--align', kinds, '--strict', status=0 if placed else 1)
                self.assertEqual('flows both ways' in out, bool(placed))
        self.assertIn('task_switches, collectives, flows', self.run_it('check', *self.files, '--align', 'x', status=2))

    def test_a_manifest_chooses_kinds(self):
        manifest = os.path.join(self.folder.name, 'manifest.json')
        for align, status in ('"off"', 1), ('["flows"]', 0), ('["collectives"]', 1):
            text = f'{{"perfetto_manifest": {{"version": 1, "align": {align}}}}}'
            pathlib.Path(manifest).write_text(text)
            self.run_it('check', *self.files, '--manifest', manifest, '--strict', status=status)
        self.run_it('check', *self.files, '--manifest', manifest, '--strict', '--align', 'flows')
        pathlib.Path(manifest).write_text('{"perfetto_manifest": {"version": 1, "align": ["x"]}}')
        self.assertIn('align must be', self.run_it('check', *self.files, '--manifest', manifest, status=3))

    def test_certain_violations_fail_and_some_may_be_allowed(self):
        self.write(flows(1000, reused=8))
        out = self.run_it('check', *self.files, '--strict', '--wide', status=1)
        self.assertIn('8 certain', out)
        self.run_it('check', *self.files, '--strict=all', status=1)
        self.run_it('check', *self.files, '--strict', '--allow-violations', '8')
        self.run_it('check', *self.files, '--strict', '--allow-violations', '7', status=1)
        self.run_it('check', *self.files, '--strict', '--allow-violations', '1%')
        self.run_it('check', *self.files, '--allow-violations', 'many', status=2)
        found = self.rows('SELECT verdict, gap_ns < -999000000, slice_out IS NOT NULL FROM causality_violation')
        self.assertEqual(found, [['certain', 1, 1]] * 8)

    def test_flows_one_way_are_refused(self):
        self.write(flows(200, ways=1))
        out = self.run_it('check', *self.files, '--wide')
        self.assertIn('refused, one_sided', out)
        self.assertIn('guess', out)
        self.assertEqual(self.rows("SELECT value FROM stats WHERE name = 'align_sets_refused' AND idx = 9"), [[1]])

    def placed_within(self, most_ns):
        [[kind, verdict, offset]] = self.rows('SELECT kind, verdict, abs(offset_ns) FROM clock_match_set')
        self.assertEqual(verdict, 'used')
        self.assertLess(abs(offset - OFFSET_US * 1000), most_ns)
        return kind

    def test_spans_place_a_service(self):
        self.write(calls(100))
        self.assertIn('spans within spans (200 of 200)', self.run_it('check', *self.files, '--strict', '--wide'))
        self.assertEqual(self.placed_within(100_000), 'spans')
        self.assertEqual(self.rows('SELECT kind, sum(pairs), sum(certain) FROM causality GROUP BY 1'), [['spans', 200, 0]])
        self.assertEqual(self.rows('SELECT count(*) FROM clock_match WHERE length(key) = 16'), [[200]])
        self.run_it('check', *self.files, '--strict', '--align', 'flows', status=1)
        self.assertIn('have parents in the other', self.run_it('check', *self.files, '--explain', 'b.json'))

    def test_the_same_events_place_a_file(self):
        self.write(program((5, 5)))
        self.assertIn('same events (', self.run_it('check', *self.files, '--strict', '--wide'))
        self.assertEqual(self.placed_within(5_000), 'same_events')
        [[bits, bound]] = self.rows('SELECT surprise_bits, bound_ns FROM clock_match_set')
        self.assertGreater(bits, 1000)
        self.assertLess(bound, 20_000)
        self.assertIn('Two recorders noted', self.run_it('check', *self.files, '--explain', 'b.json'))
        self.write(program((5, 6)))
        self.assertEqual(self.rows('SELECT count(*) FROM clock_match_set'), [[0]])

    def test_a_tick_is_aliased(self):
        self.write(program((5, 5), period=16_700))
        self.assertEqual(self.rows('SELECT verdict, reason, round(alias_period_ns / 1e5) FROM clock_match_set'),
                         [['refused', 'aliased', 167]])
        self.assertIn('the pattern repeats every 16.7', self.run_it('check', *self.files, '--wide'))

    def test_log_lines_place_a_file(self):
        self.write(lines(200))
        self.assertIn('log lines (200 of 200)', self.run_it('check', *self.files, '--strict', '--wide'))
        self.assertEqual(self.placed_within(400_000), 'logs')
        self.run_it('check', *self.files, '--strict', '--align', 'same_events', status=1)

    def test_the_order_of_files_does_not_matter(self):
        def result():
            return self.rows('SELECT abs(offset_ns), bound_ns, used, outliers, verdict FROM clock_match_set')
        first = result()
        self.files.reverse()
        self.assertEqual([row[2:] for row in result()], [row[2:] for row in first])


if __name__ == '__main__':
    unittest.main()
