#!/usr/bin/env python3
"""Worlds A21 to A23 and the real recordings R1 to R4 of spec alignment 13 on the command line.

  alignment_worlds_test.py [TRACES]

TRACEBRAID names the program. Tests of real recordings are skipped without the folder TRACES.
"""
import gzip
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
TRACES = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 and '/' in sys.argv[1] else None
SEEDS = int(os.environ.get('TRACEBRAID_SEEDS') or 3)


class Worlds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='tracebraid-worlds-')
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_text(json.dumps(content))
        return str(path)

    def check(self, *arguments, status=0):
        done = subprocess.run([PROGRAM, 'check', *arguments], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def rows(self, files, sql, *options, may_be_unknown=False):
        done = subprocess.run([PROGRAM, 'query', *files, sql, '--format', 'jsonl', '--quiet', *options],
                              capture_output=True, text=True, timeout=600, errors='replace')
        if may_be_unknown and done.returncode == 3:  # no file of a format that is read
            return []
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()[1:]]


class Simulated(Worlds):
    def flows(self, seed, count, early):
        """Writes two recordings with flows both ways, of which `early` end 1 ms before they start. Returns their paths."""
        generator, files = random.Random(seed), ([], [])
        for i in range(count):
            start, way = 10_000_000 + i * 1000, i % 2
            takes = -1000 if i < early else 150 + int(generator.expovariate(1 / 20))
            flow = f'0x{generator.getrandbits(62) | 1 << 61 | 1:x}'  # looks like a global id
            for phase, ts, file in ('s', start, way), ('f', start + takes, 1 - way):
                event = {'pid': 1, 'tid': 1, 'cat': 'c', 'name': 'n', 'ts': ts + file * 7_000_000}
                files[file].extend(({**event, 'ph': 'X', 'dur': 10}, {**event, 'ph': phase, 'id': flow, 'bp': 'e'}))
        return [self.write(name, events) for name, events in zip(('a.json', 'b.json'), files)]

    def test_a21_reused_ids_are_certain_and_may_be_allowed(self):
        for seed in range(SEEDS):
            files = self.flows(seed, 10_000, early=100)
            self.assertIn('100 certain', self.check(*files, '--strict', '--wide', status=1))
            self.check(*files, '--strict', '--allow-violations', '1%')
            self.check(*files, '--strict', '--allow-violations', '99', status=1)

    def test_a22_violations_within_the_bound_do_not_fail(self):
        # Two machines whose wall clocks are 5 ms apart, and flows one way that take 1 ms.
        for seed in range(SEEDS):
            generator, files = random.Random(seed), ([], [])
            for i in range(200):
                start = 1_000_000 + i * 5000
                flow = f'0x{generator.getrandbits(62) | 1 << 61 | 1:x}'
                for phase, ts, file in ('s', start, 0), ('f', start + 1000 - 5000, 1):
                    event = {'pid': 1, 'tid': 1, 'cat': 'c', 'name': 'n', 'ts': ts}
                    files[file].extend(({**event, 'ph': 'X', 'dur': 10}, {**event, 'ph': phase, 'id': flow, 'bp': 'e'}))
            paths = [self.write(name, {'traceEvents': events, 'baseTimeNanoseconds': 1_700_000_000_000_000_000})
                     for name, events in zip(('a.json', 'b.json'), files)]
            manifest = self.write('manifest.json', {'perfetto_manifest': {'version': 1, 'files': [
                {'path': path, 'machine': {'name': name}} for path, name in zip(('a.json', 'b.json'), ('phone', 'server'))]}})
            out = self.check(*paths, '--manifest', manifest, '--strict', '--wide', '--align', 'off')
            self.assertRegex(out, r'causality: 200 pairs, 0 certain, 200 within uncertainty')

    def test_a23_the_skew_of_ranks_is_late_or_undecided(self):
        def collective(rank, number):
            return {'cat': 'kernel', 'name': 'ncclKernel', 'args': {
                'Collective name': 'allreduce', 'Process Group Name': '0', 'Process Group Ranks': '[0, 1, 2]',
                'Seq': number, 'In msg nelems': 64, 'Out msg nelems': 64, 'Group size': 3}}

        def barrier(rank, number):
            return {'name': 'wait', 'args': {'barrier': 'step', 'generation': number, 'parties': 3, 'rank': rank}}

        for seed, make in itertools.product(range(SEEDS), (collective, barrier)):
            generator, jitter = random.Random(seed), 20
            operations, now = [], 2_000_000
            for number in range(400):
                now += 1000 + generator.randrange(20_000)
                operations.append((number, now))
            offsets = [0, 300_000, 700_000]
            files = [{'distributedInfo': {'backend': 'nccl', 'rank': rank, 'world_size': 3}, 'traceEvents': []} for rank in range(3)]
            # The bound is about the jitter. Rank 2 starts late by three times as much, or a third of it.
            late = {number: (generator.choice((10 * jitter, jitter // 3))) for number, _ in operations}
            for number, at in operations:
                for rank, file in enumerate(files):
                    begin = at + (late[number] if rank == 2 else 0)
                    end = at + 2000 + generator.randrange(jitter)
                    # Ids of processes are no ranks.
                    file['traceEvents'].append({'ph': 'X', 'pid': 700 - rank, 'tid': 7, 'ts': begin + offsets[rank],
                                                'dur': end - begin, **make(rank, number)})
            paths = [self.write(f'rank{rank}.json', file) for rank, file in enumerate(files)]
            bounds = self.rows(paths, "SELECT max(uncertainty_ns) FROM placement WHERE placed > 0")
            self.assertLess(bounds[0][0], 10 * jitter * 1000 / 3, 'late is three bounds')
            self.assertGreater(bounds[0][0], jitter * 1000 / 3 * 3 - 1000)
            include = 'INCLUDE PERFETTO MODULE tracebraid.collectives; '
            found = dict(self.rows(paths, include + 'SELECT seq, verdict FROM collective'))
            self.assertEqual(found, {number: 'late' if ns > jitter else 'undecided' for number, ns in late.items()})
            last = self.rows(paths, include + 'SELECT rank, times_last FROM collective_lateness ORDER BY 1')
            self.assertEqual(last, [[0, 0], [1, 0], [2, sum(ns > jitter for ns in late.values())]])


SETS = ("SELECT s.kind, a.path, b.path, s.verdict, s.reason, s.used, s.candidates, s.offset_ns, s.rate_ppb, s.bound_ns "
        "FROM clock_match_set s JOIN __intrinsic_trace_file a ON a.id = s.trace_a JOIN __intrinsic_trace_file b ON b.id = s.trace_b")


@unittest.skipUnless(TRACES and TRACES.is_dir(), 'no folder of real traces')
class Real(Worlds):
    def test_r1_two_ranks_of_one_host(self):
        files = [str(TRACES / f'hta/trace_filter/sampled_rank-{rank}.json.gz') for rank in (0, 1)]
        for kinds in 'auto', 'collectives', 'same_events':
            for kind, _, _, verdict, *_, offset, _, _ in self.rows(files, SETS, '--align', kinds):
                self.assertIn(kind, ('collectives', 'same_events'))
                if verdict != 'refused':
                    self.assertLessEqual(abs(offset), 400_000)

    def test_r2_a_copy_under_another_rank(self):
        with gzip.open(TRACES / 'hta/nccl_parser_config/nccl_data.json.gz') as file:
            trace = json.load(file)
        del trace['baseTimeNanoseconds']  # would say that the copy has the times of the original
        first = self.write('rank0.json', trace)
        trace['distributedInfo']['rank'] = 1
        base, shift, rate = 4458676388068.751, 1_234_567.0, 30e-6
        for event in trace['traceEvents']:
            if 'ts' in event:
                event['ts'] = event['ts'] + shift + (event['ts'] - base) * rate
        second = self.write('rank1.json', trace)
        [row] = [row for row in self.rows([first, second], SETS + " WHERE s.kind = 'collectives'")]
        kind, _, _, verdict, reason, used, candidates, offset, found, _ = row
        self.assertEqual((verdict, reason, used, candidates), ('used', None, 21, 21))
        self.assertEqual(self.rows([first, second], "SELECT count(*) FROM clock_match WHERE key GLOB '*wait*'"), [[0]])
        # The events of both files, as placed.
        [[worst]] = self.rows([first, second], '''
            WITH op AS (SELECT s.name, s.ts, t.trace_id, row_number() OVER (PARTITION BY t.trace_id ORDER BY s.ts, s.id) AS n
              FROM slice s JOIN __intrinsic_track t ON t.id = s.track_id WHERE s.category = 'kernel')
            SELECT max(abs(a.ts - b.ts)) FROM op a JOIN op b ON a.n = b.n AND a.trace_id < b.trace_id''')
        self.assertLessEqual(worst, 1000)

    def test_r3_perf_in_two_formats(self):
        folder = TRACES / 'selfmade-multitool'
        shift, rate = 17.3, 40e-6
        time = re.compile(r'^(.*?\[\d+\]\s+)(\d+\.\d+)(:.*)$')
        lines, first = [], None
        with gzip.open(folder / 'perf_script_mono.txt.gz', 'rt', errors='replace') as file:
            for line in file:
                if match := time.match(line.rstrip('\n')):
                    at = float(match[2])
                    first = at if first is None else first
                    line = f'{match[1]}{at + shift + (at - first) * rate:.9f}{match[3]}\n'
                lines.append(line)
        text = self.folder / 'perf.txt'
        text.write_text(''.join(lines))
        data = str(folder / 'perf_mono.data.gz')
        [[rule, start, offset_start, end, offset_end]] = self.rows(
            [data, str(text)], "SELECT rule, first_ts, offset_start_ns, last_ts, offset_end_ns FROM placement "
            "WHERE placed > 0 AND rule != 'is_timeline'")
        self.assertEqual(rule, 'measured')
        for ts, offset in (start, offset_start), (end, offset_end):
            reading = (ts - offset) / 1e9
            self.assertLessEqual(abs(ts / 1e9 - (reading - shift + first * rate) / (1 + rate)), 1e-6)

    def test_r3_programs_of_two_processes_are_not_matched(self):
        files = [str(TRACES / 'selfmade-multitool' / name) for name in ('nodeA_13317_1.json.gz', 'nodeB_13320_1.json.gz')]
        self.assertEqual([row for row in self.rows(files, SETS) if row[3] != 'refused'], [])

    def test_r4_no_other_files_match(self):
        """Each recording is compared with the first one that has something in common. With 20 seeds each file is the first once, so
        that all pairs are compared."""
        files = sorted(path for path in TRACES.rglob('*') if path.is_file() and path.suffix not in ('.md', '.csv', '.LICENSE'))
        orders = [files, files[::-1]]
        if SEEDS >= 20:
            orders += [[path, *(other for other in files if other != path)] for path in files[1:-1]]
        whole = len(orders)
        orders += [[path for path in files if folder in path.parents] for folder in sorted(TRACES.iterdir())]
        used = set()
        for number, order in enumerate(orders):
            if len(order) < 2:
                continue
            for kind, a, b, verdict, *_ in self.rows([str(path) for path in order], SETS, '--skip-unknown',
                                                     may_be_unknown=number >= whole):
                if verdict != 'refused':
                    used.add((kind, pathlib.PurePath(a).name, pathlib.PurePath(b).name))
        self.assertEqual(used, set())


if __name__ == '__main__':
    unittest.main()
