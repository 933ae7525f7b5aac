#!/usr/bin/env python3
"""The walkthroughs of docs/aligning.md: each command runs, and prints the lines shown below it. TRACEBRAID names the program.

  aligning_docs_test.py [FOLDER]      with a folder, only writes the recordings there
"""
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
PAGE = pathlib.Path(__file__).parents[2] / 'docs/aligning.md'
RANKS = 8


def ranks():
    """Returns Kineto traces of eight ranks whose clocks count from their starts, by name."""
    generator, operations, now = random.Random(11), [], 2e6
    for number in range(400):
        now += 2000 + generator.uniform(0, 20_000)
        operations.append((number, now, 1024 << generator.randrange(6)))
    traces = {}
    for rank in range(RANKS):
        offset, rate = generator.uniform(0, 1e6), generator.uniform(-5e-5, 5e-5)
        events = []
        for number, at, size in operations:
            # All ranks end together; rank 5 starts late.
            begin = at - (100 if rank == 5 else generator.uniform(300, 900))
            begin, end = (t + offset + rate * t for t in (begin, at + 300 + generator.uniform(0, 20)))
            events.append({
                'ph': 'X', 'cat': 'kernel', 'name': 'ncclDevKernel_AllReduce_Sum_f32_RING_LL', 'pid': rank, 'tid': 7,
                'ts': round(begin, 3), 'dur': round(end - begin, 3), 'args': {
                    'Collective name': 'allreduce', 'Process Group Name': '0', 'Process Group Ranks': str(list(range(RANKS))),
                    'dtype': 'Float', 'Seq': number, 'In msg nelems': size, 'Out msg nelems': size, 'Group size': RANKS}})
        traces[f'rank{rank}.json'] = {'distributedInfo': {'backend': 'nccl', 'rank': rank, 'world_size': RANKS},
                                      'traceEvents': events}
    return traces


def global_id(generator):
    """Returns an id that two writers do not choose by chance."""
    while True:
        number = generator.getrandbits(62) | 1 << 61 | 1
        if 20 <= number.bit_count() <= 44:
            return f'0x{number:x}'


def pair():
    """Returns traces of a phone and a watch that send each other messages, by name. The watch started 7 s earlier."""
    generator, files = random.Random(12), ([], [])
    for i in range(1200):
        start, way = 10_000_000 + i * 20_000 + generator.randrange(9000), i % 2
        end = start + (150 if way == 0 else 250) + int(generator.expovariate(1 / 30))
        flow = global_id(generator)
        for phase, ts, file in ('s', start, way), ('f', end, 1 - way):
            event = {'pid': 1, 'tid': 1, 'cat': 'bluetooth', 'name': 'message', 'ts': ts + file * 7_000_000}
            files[file].extend(({**event, 'ph': 'X', 'dur': 10}, {**event, 'ph': phase, 'id': flow, 'bp': 'e'}))
    return {'phone.json': files[0], 'watch.json': files[1]}


def steps(heading):
    """Returns the commands of a section, each with the lines that it shows."""
    section = re.search(rf'^## {re.escape(heading)}\n(.*?)(?=^## |\Z)', PAGE.read_text(), re.MULTILINE | re.DOTALL)
    found = []
    for language, body in re.findall(r'^```(\w+)\n(.*?)^```$', section[1], re.MULTILINE | re.DOTALL):
        if language == 'sh':
            found.extend((line, []) for line in body.splitlines())
        elif language == 'text':
            found[-1][1].extend(body.splitlines())
        else:
            found[-1][1].append((language, body))
    return found


class Walkthroughs(unittest.TestCase):
    def walk(self, heading, traces):
        """Runs the commands of a section in a folder with the traces. Returns their number."""
        found = steps(heading)
        with tempfile.TemporaryDirectory(prefix='tracebraid-walk-') as folder:
            for name, content in traces.items():
                (pathlib.Path(folder) / name).write_text(json.dumps(content))
            for command, lines in found:
                words = shlex.split(command)
                self.assertEqual(words[0], 'tracebraid', command)
                done = subprocess.run(['bash', '-c', f'{shlex.quote(PROGRAM)} {command.split(" ", 1)[1]}'], cwd=folder,
                                      capture_output=True, text=True, timeout=120)
                self.assertEqual(done.returncode, 0, f'{command}\n{done.stdout}{done.stderr}')
                printed = [' '.join(line.split()) for line in (done.stdout + done.stderr).splitlines()]
                for line in lines:
                    if line.strip() != '...':
                        self.assertIn(' '.join(line.split()), printed, command)
        return len(found)

    def test_eight_ranks(self):
        self.assertGreaterEqual(self.walk('Eight ranks, unaligned', ranks()), 5)

    def test_phone_and_watch(self):
        self.assertGreaterEqual(self.walk('Phone and watch', pair()), 5)


if __name__ == '__main__':
    if len(sys.argv) > 1 and pathlib.Path(sys.argv[1]).is_dir():
        for name, content in {**ranks(), **pair()}.items():
            (pathlib.Path(sys.argv[1]) / name).write_text(json.dumps(content))
    else:
        unittest.main()
