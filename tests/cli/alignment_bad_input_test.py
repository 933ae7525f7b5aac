#!/usr/bin/env python3
"""Bad input of spec alignment 13 on the command line: nothing crashes, hangs or places a file. TRACEBRAID names the program."""
import io
import json
import os
import pathlib
import random
import resource
import subprocess
import tarfile
import tempfile
import unittest

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
SHORT = bool(os.environ.get('TRACEBRAID_SHORT'))  # sanitized programs are slow
GLOBAL_ID = '0x3f5a91c7e2b4d689'


def slice_of(name, ts, **more):
    return {'ph': 'X', 'pid': 1, 'tid': 1, 'cat': 'c', 'name': name, 'ts': ts, 'dur': 5, **more}


def flow(phase, flow_id, ts):
    return {'ph': phase, 'pid': 1, 'tid': 1, 'cat': 'c', 'name': 'n', 'ts': ts, 'id': flow_id, 'bp': 'e'}


def drawn_id(generator):
    """Returns an id that two writers do not choose by chance."""
    while True:
        number = generator.getrandbits(62) | 1 << 61 | 1
        if 20 <= number.bit_count() <= 44:
            return f'0x{number:x}'


class BadInput(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='tracebraid-bad-')
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, *contents):
        paths = []
        for number, content in enumerate(contents):
            path = self.folder / f'{number}.json'
            path.write_text(content if isinstance(content, str) else json.dumps(content))
            paths.append(str(path))
        return paths

    def rows(self, files, sql, *options, timeout=300):
        done = subprocess.run([PROGRAM, 'query', *files, sql, '--format', 'jsonl', '--quiet', *options],
                              capture_output=True, text=True, timeout=timeout)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()[1:]]

    def assert_nothing_placed(self, files):
        self.assertEqual(self.rows(files, "SELECT * FROM clock_match_set WHERE verdict != 'refused'"), [])
        self.assertEqual(self.rows(files, "SELECT count(*) FROM placement WHERE rule NOT IN ('is_timeline', 'guessed', 'same_clock')"), [[0]])

    def test_one_id_repeats(self):
        count = 20_000 if SHORT else 500_000
        files = []
        for phase in 's', 'f':
            events = ',\n'.join(f'{{"ph":"{phase}","pid":1,"tid":1,"cat":"c","name":"n","ts":{i},"id":"{GLOBAL_ID}","bp":"e"}}'
                                for i in range(count))
            files.append('[' + events + ']')
        self.assert_nothing_placed(self.write(*files))

    def test_a_log_of_equal_lines(self):
        count = 20_000 if SHORT else 1_000_000
        lines = '[' + ',\n'.join(f'{{"ph":"i","s":"t","pid":1,"tid":1,"name":"connection refused by the server","ts":{i}}}'
                                 for i in range(count)) + ']'
        files = self.write(lines, lines.replace('"ts":', '"ts":7'))
        self.assert_nothing_placed(files)

    def test_many_files_with_one_match_each(self):
        generator, count = random.Random(1), 200 if SHORT else 100_000
        path = self.folder / 'many.tar'
        hub, others = [], []
        for i in range(count):
            flow_id = drawn_id(generator)
            hub.extend((slice_of('n', 2_000_000 + i * 10), flow('s', flow_id, 2_000_000 + i * 10)))
            others.append([slice_of('n', 1_000_000), flow('f', flow_id, 1_000_000)])
        with tarfile.open(path, 'w') as archive:
            for number, content in enumerate([hub, *others]):
                body = json.dumps(content).encode()
                entry = tarfile.TarInfo(f'{number}.json')
                entry.size = len(body)
                archive.addfile(entry, io.BytesIO(body))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(self.rows([path], "SELECT reason, count(*) FROM clock_match_set GROUP BY 1"), [['too_few', count]])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        # Time that grows with the square of the number of files would be many minutes.
        self.assertLess(after.ru_utime - before.ru_utime, 60 if SHORT else 40)

    def test_a_file_given_twice_is_no_evidence(self):
        generator, events = random.Random(5), []
        for i in range(300):
            ts = 1000 + i * 1000 + generator.randrange(700)
            events.append(slice_of(f'step {generator.randrange(200)}', ts))
            events.append({'ph': 'i', 's': 't', 'pid': 1, 'tid': 1, 'name': 'log', 'ts': ts,
                           'args': {'message': f'the request {generator.getrandbits(40)} took {generator.getrandbits(40)} ms'}})
        [path] = self.write(events)
        sets = self.rows([path, path], 'SELECT verdict, substr(detail, 1, 10), offset_ns FROM clock_match_set')
        self.assertGreater(len(sets), 0)
        for row in sets:
            self.assertEqual(row, ['refused', 'same_file:', 0])
        self.assert_nothing_placed([path, path])

    def test_fractional_and_huge_ids(self):
        events = []
        for flow_id in 1.5, -1, 1e300, '', 'NaN', [], {}, None, True, '0x' + 'f' * 64, 2**64:
            events.extend((slice_of('n', 10), flow('s', flow_id, 10), slice_of('n', 20), flow('f', flow_id, 20)))
        self.assert_nothing_placed(self.write(events, events, json.dumps(events).replace('1.5', 'NaN')))

    def test_times_at_both_ends(self):
        generator = random.Random(2)
        first, second = [], []
        for i in range(40):
            flow_id, ts = drawn_id(generator), (-9.2e15, 9.2e15, 0, i)[i % 4]
            first.extend((slice_of('n', ts), flow('s' if i % 2 else 'f', flow_id, ts)))
            second.extend((slice_of('n', -ts), flow('f' if i % 2 else 's', flow_id, -ts)))
        self.assert_nothing_placed(self.write(first, second))

    def test_equal_readings_place_within_their_bound(self):
        generator = random.Random(3)
        first, second = [], []
        for i in range(40):
            flow_id = drawn_id(generator)
            first.extend((slice_of('n', 1000), flow('s' if i % 2 else 'f', flow_id, 1000)))
            second.extend((slice_of('n', 9000), flow('f' if i % 2 else 's', flow_id, 9000)))
        files = self.write(first, second)
        for verdict, offset, bound in self.rows(files, 'SELECT verdict, offset_ns, bound_ns FROM clock_match_set'):
            if verdict != 'refused':
                self.assertLessEqual(abs(abs(offset) - 8_000_000), bound)

    def collectives(self, rank, **more):
        return {'distributedInfo': {'backend': 'nccl', 'rank': rank, 'world_size': 2}, 'traceEvents': [
            {'ph': 'X', 'cat': 'kernel', 'name': 'ncclKernel', 'pid': rank, 'tid': 7, 'ts': 1000 + 100 * i, 'dur': 50, 'args': {
                'Collective name': 'allreduce', 'Process Group Name': '0', 'Process Group Ranks': '[0, 1]', 'Seq': i,
                'In msg nelems': 64, 'Out msg nelems': 64, 'Group size': 2, **more}} for i in range(50)]}

    def test_ranks_and_numbers_that_are_none(self):
        long_list = '[' + ', '.join(['7'] * (10_000 if SHORT else 2_000_000)) + ']'
        for key, value in (('Seq', -1), ('Seq', 'x'), ('Seq', 2**63), ('Seq', 1.5), ('Process Group Ranks', 'none'),
                           ('Process Group Ranks', '[0'), ('Process Group Ranks', [])):
            with self.subTest(key, value=value):
                self.assert_nothing_placed(self.write(self.collectives(0, **{key: value}), self.collectives(1, **{key: value})))
        event = {'Process Group Ranks': long_list}
        traces = [self.collectives(rank, **event) for rank in (0, 1)]
        for trace in traces:
            trace['traceEvents'] = trace['traceEvents'][:3]
        self.assert_nothing_placed(self.write(*traces))

    def test_two_files_of_one_rank(self):
        files = self.write(self.collectives(0), self.collectives(0))
        self.assert_nothing_placed(files)
        self.assertEqual(self.rows(files, "SELECT DISTINCT reason FROM clock_match_set WHERE kind = 'collectives'"), [['other_job']])

    def test_kernels_without_length(self):
        traces = [self.collectives(rank) for rank in (0, 1)]
        for trace in traces:
            for event in trace['traceEvents']:
                event['dur'] = 0
        self.assert_nothing_placed(self.write(*traces))

    def test_spans_that_are_their_own_parents(self):
        files = []
        for number in 0, 1:
            files.append([slice_of('call', 1000 * i + number * 77, args={
                'trace_id': f'{i * 7919 + 1:032x}', 'span_id': f'{i * 31 + 5:016x}', 'parent_span_id': f'{i * 31 + 5:016x}'})
                for i in range(1, 100)])
            files[-1] += [slice_of('zero', 10 ** 6 + i, args={'trace_id': '0' * 32, 'span_id': '0' * 16, 'parent_span_id': '0' * 16})
                          for i in range(100)]
        self.assert_nothing_placed(self.write(*files))


if __name__ == '__main__':
    unittest.main()
